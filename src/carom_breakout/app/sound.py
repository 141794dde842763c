"""The sounds, made from sines with NumPy, and the music, a composition of our own that goes round and round.

In: names of sounds. Out: sound, where there is a device; where there is none everything here is silent, on stderr too.
The music is made in a thread, since nobody waits for it. Pitches are semitones above the A below middle C (220 Hz).
"""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt
import pygame

from carom.draw import quiet_stderr

Wave = npt.NDArray[np.float64]

RATE = 44100
BEAT = 60 / 84
BARS = 8
MUSIC_VOLUME = 0.34
# Four chords of two bars each, as (bass, chord): A minor 7, F major 7, C major 7, G 6. A mallet wanders over them.
CHORDS = ((-12, (0, 3, 7, 10)), (-16, (-4, 0, 3, 7)), (-9, (-2, 2, 3, 7)), (-14, (-2, 2, 5, 7)))
MELODY = (
    (19, None, 15, None, 12, None, 15, 17),
    (None, None, 12, None, 10, None, None, None),
    (17, None, 14, None, 10, None, 14, 15),
    (None, None, 17, None, 10, None, None, None),
    (15, None, 12, None, 19, None, 15, 12),
    (None, None, 24, None, 22, None, 19, None),
    (17, None, 14, None, 12, None, 7, 12),
    (None, None, 14, None, None, None, None, None),
)
BRICK_PITCHES = {2: 15, 3: 17, 4: 19, 5: 22, 6: 24}


def tone(pitch: float, seconds: float, overtones: tuple[tuple[float, float, float], ...]) -> Wave:
    """A struck note: sines at (ratio, loudness, seconds to fall to a third), with a soft onset."""
    time = np.arange(int(seconds * RATE)) / RATE
    wave = np.zeros_like(time)
    for ratio, loudness, fall in overtones:
        frequency = 220 * 2 ** (pitch / 12) * ratio
        if frequency < RATE / 2:
            wave += loudness * np.sin(2 * np.pi * frequency * time) * np.exp(-time / fall)
    return _softened(wave, 0.004)


def _softened(wave: Wave, onset: float) -> Wave:
    """Let a wave begin within so many seconds and end within 0.02, so that it does not click."""
    first = min(int(onset * RATE), len(wave))
    wave[:first] *= np.linspace(0, 1, first)
    last = min(int(0.02 * RATE), len(wave))
    wave[-last:] *= np.linspace(1, 0, last)
    return wave


def sequence(notes: tuple[tuple[float, Wave], ...]) -> Wave:
    """Lay notes over each other, each from its own second on."""
    ends = [int(start * RATE) + len(wave) for start, wave in notes]
    total = np.zeros(max(ends))
    for (_, wave), end in zip(notes, ends, strict=True):
        total[end - len(wave) : end] += wave
    return total


def mallet(pitch: float, loudness: float = 1.0, seconds: float = 0.45) -> Wave:
    """A wooden bar under a soft mallet."""
    return loudness * tone(pitch, seconds, ((1, 0.7, 0.13), (3.93, 0.2, 0.035), (9.2, 0.07, 0.012)))


def bell(pitch: float, loudness: float = 1.0, seconds: float = 1.0) -> Wave:
    """A small clear bell."""
    return loudness * tone(pitch, seconds, ((1, 0.6, 0.28), (2, 0.22, 0.2), (3.01, 0.12, 0.1), (5.4, 0.05, 0.04)))


def noise(seconds: float, fall: float, smooth: int, seed: int) -> Wave:
    """A breath of noise that dies away; a larger `smooth` makes it darker."""
    wave = np.random.default_rng(seed).standard_normal(int(seconds * RATE))
    wave = np.convolve(wave, np.ones(smooth) / smooth, mode="same")
    return _softened(wave * np.exp(-np.arange(len(wave)) / RATE / fall), 0.001)


def glide(start: float, end: float, seconds: float) -> Wave:
    """A tone that slides from one pitch to another."""
    share = np.linspace(0, 1, int(seconds * RATE))
    frequency = 220 * 2 ** ((start + (end - start) * share) / 12)
    phase = 2 * np.pi * np.cumsum(frequency) / RATE
    return np.asarray((np.sin(phase) + 0.25 * np.sin(2 * phase)) * np.sin(np.pi * share) ** 0.5)


def effects() -> dict[str, Wave]:
    """All short sounds by name, between -1 and 1; `brick2` to `brick6` are the bricks by their code."""
    sounds = {f"brick{code}": 0.5 * mallet(pitch) for code, pitch in BRICK_PITCHES.items()}
    knock = tone(-9, 0.16, ((1, 0.8, 0.03), (2.3, 0.4, 0.02)))
    sounds["paddle"] = 0.6 * sequence(((0, knock), (0, 0.5 * noise(0.04, 0.008, 5, 1))))
    clank = tone(5, 0.3, ((1, 0.5, 0.05), (1.48, 0.35, 0.06), (2.67, 0.2, 0.04), (4.1, 0.12, 0.02)))
    sounds["solid"] = 0.6 * sequence(((0, clank), (0, 0.5 * noise(0.08, 0.02, 3, 2))))
    sounds["power"] = 0.45 * sequence(tuple((0.07 * i, bell(12 + p, 0.8)) for i, p in enumerate((0, 3, 7, 12))))
    sounds["life"] = 0.4 * sequence(((0, glide(7, -9, 0.5)), (0.42, mallet(-17, 1.0, 0.6))))
    rise = (0, 3, 7, 12, 10, 15, 19)
    sounds["win"] = 0.4 * sequence(tuple((0.12 * i, bell(7 + p, 0.8, 1.4)) for i, p in enumerate(rise)))
    sounds["over"] = 0.4 * sequence(tuple((0.26 * i, bell(p, 0.9, 1.4)) for i, p in enumerate((12, 7, 3, 0))))
    return sounds


def music() -> Wave:
    """The loop: eight bars of soft chords, a bass and a wandering mallet; its end runs on into its beginning."""
    length = int(BARS * 4 * BEAT * RATE)
    track = np.zeros(length)

    def play(wave: Wave, beat: float) -> None:
        start = int(beat * BEAT * RATE) % length
        first = wave[: length - start]
        track[start : start + len(first)] += first
        track[: len(wave) - len(first)] += wave[len(first) :]

    pad = ((1, 0.5, 1.6), (2, 0.16, 0.9), (0.5, 0.12, 1.2), (1.004, 0.4, 1.6))
    for bar in range(BARS):
        bass, chord = CHORDS[bar // 2]
        for step, pitch in enumerate(chord):
            play(0.16 * tone(pitch, 3.2 * BEAT, pad), bar * 4 + 0.06 * step)
        play(0.42 * tone(bass, 2.2 * BEAT, ((1, 0.9, 0.7), (2, 0.2, 0.3))), bar * 4)
        play(0.26 * tone(bass + 12, 1.0 * BEAT, ((1, 0.9, 0.4), (2, 0.15, 0.2))), bar * 4 + 2.5)
        for beat in (1, 3):
            play(0.035 * noise(0.12, 0.03, 2, 10 + beat), bar * 4 + beat)
        for step, note in enumerate(MELODY[bar]):
            if note is not None:
                play(mallet(note, 0.2 if step % 4 == 0 else 0.14, 0.7), bar * 4 + step / 2)
    loudest: float = np.abs(track).max()
    return track * (0.85 / loudest)


def samples(wave: Wave) -> npt.NDArray[np.int16]:
    """Turn a wave into 16-bit samples for two channels."""
    whole = (np.clip(wave, -1, 1) * 32000).astype(np.int16)
    return np.ascontiguousarray(np.repeat(whole[:, np.newaxis], 2, axis=1))


class Sounds:
    """The game's voice. Without a sound device, or muted from the start, nothing is played and nothing is said.

    Parameters
    ----------
    wanted : False keeps the sound device closed.
    """

    def __init__(self, wanted: bool = True) -> None:
        self.muted = not wanted
        self.available = False
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._music: pygame.mixer.Sound | None = None
        if wanted:
            with quiet_stderr():
                try:
                    pygame.mixer.init(RATE, -16, 2, 512, allowedchanges=0)
                    self.available = True
                except (pygame.error, NotImplementedError):
                    return
            self._thread = threading.Thread(target=self._prepare, daemon=True)
            self._thread.start()

    def _prepare(self) -> None:
        for name, wave in effects().items():
            self._sounds[name] = pygame.mixer.Sound(buffer=samples(wave).tobytes())
        self._music = pygame.mixer.Sound(buffer=samples(music()).tobytes())
        self._music.set_volume(0.0 if self.muted else MUSIC_VOLUME)
        self._music.play(loops=-1)

    def close(self) -> None:
        """Fall silent and give the sound device back."""
        if self.available:
            self._thread.join()
            self._sounds.clear()
            self._music = None
            pygame.mixer.quit()
            self.available = False

    def play(self, name: str) -> None:
        """Play a sound by name once, if it is ready."""
        sound = self._sounds.get(name)
        if sound is not None and not self.muted:
            sound.play()

    def mute(self) -> None:
        """Turn all sound off, or on again."""
        self.muted = not self.muted
        if self._music is not None:
            self._music.set_volume(0.0 if self.muted else MUSIC_VOLUME)
