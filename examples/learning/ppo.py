"""Train a player of Breakout by PPO in PyTorch, on hundreds of games at once.

Proximal policy optimisation (Schulman et al., 2017) with generalised advantages (Schulman et al., 2016), all of it in
this file. The extra `train` brings what it needs. `python examples/learning/ppo.py --seed 0` trains for eight minutes,
says how well the player plays, and leaves its learning curve and its weights in the folder `ppo`.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn
from tqdm import tqdm

GAMES, HORIZON = 512, 64  # games side by side, and steps of each before the player learns from them
EPOCHS, BATCH = 3, 2048  # times that it looks at each step, so many steps at a time
DISCOUNT, TRACE = 0.995, 0.95  # of rewards a step later, and of what an estimate a step later tells
CLIP, ENTROPY, VALUE_SHARE, LEAP = 0.2, 0.005, 0.5, 0.5
RATE = 7e-4  # of learning, falling to 0 at the end
POINTS = 0.05  # reward for a point, so that values stay near 1


class Player(nn.Module):
    """From an observation to the odds of the three actions and the value of the game."""

    def __init__(self, numbers: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(numbers + 1, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.odds, self.value = nn.Linear(128, actions), nn.Linear(128, 1)
        nn.init.zeros_(self.odds.weight)
        self.register_buffer("mean", torch.zeros(numbers))
        self.register_buffer("spread", torch.ones(numbers))

    def measure(self, seen: torch.Tensor) -> None:
        """Take the mean and the spread of each number from what was seen: all are to count alike."""
        self.mean, self.spread = seen.mean(0), seen.std(0) + 0.01

    def forward(self, seen: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        aside = 8 * (seen[:, 2:3] - seen[:, 0:1])  # of the ball from the paddle: 1 is the paddle's width
        inner = self.body(torch.cat(((seen - self.mean) / self.spread, aside), 1))
        return torch.distributions.Categorical(logits=self.odds(inner), validate_args=False), self.value(inner)[..., 0]


def make(games: int) -> gymnasium.vector.VectorEnv:
    """Make games of level 1 that begin anew in the step in which they end; a bounce is worth something, too."""
    name, shaping = "carom_gym:carom/Breakout-v0", {"paddle_reward": 10.0, "life_penalty": 20.0}
    return gymnasium.make_vec(name, num_envs=games, autoreset_mode="SameStep", **shaping)


def train(seed: int, minutes: float, folder: Path) -> Player:
    """Train for so many minutes, write the learning curve down, and return the player."""
    torch.manual_seed(seed)
    envs = make(GAMES)
    player = Player(envs.single_observation_space.shape[0], 3)
    optimiser = torch.optim.Adam(player.parameters(), lr=RATE, eps=1e-5)
    seen = torch.from_numpy(envs.reset(seed=1_000_000 * seed)[0])
    kept = torch.empty(HORIZON, GAMES, seen.shape[1])
    actions = torch.empty(HORIZON, GAMES, dtype=torch.int64)
    logs, values, rewards, ends = (torch.empty(HORIZON, GAMES) for _ in range(4))
    total = round(float(seen[0, 8]) * (seen.shape[1] - 16))
    rows, recent, steps, start = [], [1.0] * 200, 0, time.perf_counter()
    bar = tqdm(total=round(60 * minutes), desc=f"seed {seed}", unit="s")
    while (spent := time.perf_counter() - start) < 60 * minutes:
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - spent / (60 * minutes))
        for t in range(HORIZON):
            kept[t] = seen
            with torch.no_grad():
                odds, values[t] = player(seen)
            actions[t] = odds.sample()
            logs[t] = odds.log_prob(actions[t])
            observations, points, terminated, truncated, infos = envs.step(actions[t].numpy())
            seen = torch.from_numpy(observations)
            rewards[t] = torch.from_numpy(points * POINTS)
            ends[t] = torch.from_numpy((terminated | truncated).astype(np.float32))
            if "final_info" in infos:
                left = infos["final_info"]["bricks_left"][infos["_final_info"]] / total
                recent = (recent + left.tolist())[-200:]
        if steps == 0:
            player.measure(kept.flatten(0, 1))
        steps += GAMES * HORIZON
        learn(player, optimiser, kept, actions, logs, values, rewards, ends, seen)
        rows.append((round(time.perf_counter() - start, 1), steps, 1 - sum(recent) / len(recent)))
        bar.update(round(spent) - bar.n)
        bar.set_postfix(bricks=f"{rows[-1][2]:.1%}", steps=f"{steps / 1e6:.1f} M")
    bar.close()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"ppo-{seed}.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("seconds", "steps", "bricks broken"), *rows])
    torch.save(player.state_dict(), folder / f"ppo-{seed}.pt")
    return player


def learn(player, optimiser, kept, actions, logs, values, rewards, ends, seen) -> None:
    """Improve the player by what it has seen."""
    with torch.no_grad():
        following, ahead = player(seen)[1], torch.zeros(GAMES)
    gains = torch.empty_like(rewards)
    for t in reversed(range(HORIZON)):
        going = 1 - ends[t]
        surprise = rewards[t] + DISCOUNT * going * following - values[t]
        gains[t] = ahead = surprise + DISCOUNT * TRACE * going * ahead
        following = values[t]
    table = [kept.flatten(0, 1), *(column.flatten() for column in (actions, logs, gains, gains + values))]
    for _ in range(EPOCHS):
        for rows in torch.randperm(GAMES * HORIZON).split(BATCH):
            see, did, log, gain, worth = (column[rows] for column in table)
            odds, value = player(see)
            ratio = (odds.log_prob(did) - log).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = loss + VALUE_SHARE * (value - worth).square().mean() - ENTROPY * odds.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), LEAP)
            optimiser.step()


def judge(choose: Callable[[torch.Tensor], torch.Tensor], games: int = 64, seed: int = 77) -> tuple[float, float]:
    """Play games to their ends; return the mean share of bricks broken and the mean score."""
    envs = make(games)
    observations, _ = envs.reset(seed=seed)
    total = observations[0, 8]
    broken, scores, playing = np.zeros(games), np.zeros(games), np.ones(games, bool)
    while playing.any():
        with torch.no_grad():
            actions = choose(torch.from_numpy(observations)).numpy()
        observations, _, _, _, infos = envs.step(actions)
        for game in np.flatnonzero(infos["_final_info"] & playing) if infos else ():
            broken[game] = 1 - infos["final_obs"][game][8] / total
            scores[game] = infos["final_info"]["score"][game]
            playing[game] = False
    return broken.mean(), scores.mean()


def follow(seen: torch.Tensor) -> torch.Tensor:
    """Keep the paddle under the ball: what a player does who knows nothing of bricks."""
    aside = seen[:, 2] - seen[:, 0]
    return torch.where(aside > 0.02, 2, torch.where(aside < -0.02, 1, 0))


def plot(folder: Path) -> None:
    """Draw the learning curves in a folder."""
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for file in sorted(folder.glob("ppo-*.csv")):
        seconds, _, share = np.loadtxt(file, delimiter=",", skiprows=1, unpack=True)
        axes.plot(seconds / 60, 100 * share, label=file.stem.replace("ppo-", "seed "))
    axes.axhline(90, color="grey", linestyle=":", linewidth=1)
    axes.set(xlabel="minutes on two cores", ylabel="% of the bricks broken in an episode", ylim=(0, 100))
    axes.set_title("PPO on level 1: the last 200 episodes of training, actions drawn by lot")
    axes.legend(frameon=False)
    figure.savefig(folder / "ppo.png", dpi=120)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--folder", type=Path, default=Path("ppo"))
    options = parser.parse_args()
    trained = train(options.seed, options.minutes, options.folder)
    plot(options.folder)
    print(f"wrote ppo-{options.seed}.csv, ppo-{options.seed}.pt and ppo.png into {options.folder}")
    players = {
        "random": lambda seen: torch.randint(3, (len(seen),)),
        "follows the ball": follow,
        f"trained, seed {options.seed}": lambda seen: trained(seen)[0].sample(),
    }
    for name, choose in players.items():
        bricks, score = judge(choose)
        print(f"{name:20} breaks {bricks:6.1%} of the bricks, score {score:5.0f}, mean of 64 games")
