"""A room from above, drawn as text: walls to slide along, a one-way gate, a plate that opens a door, a guard.

Leaves topdown.png; with --window a game: step on the plate, reach the blue floor. Needs matplotlib, or pygame-ce.
"""

import sys

import numpy as np

import carom as cm

ROOM = r"""
##############################
#/...\#......###......#/....\#
#.P...>......\#/......D..EE..#
#.....#...............D..EE..#
#\.../#...../\........#\..../#
########.../##\..G....########
#/...\#....\##/.......#/....\#
#...........\/........#......#
#.KK..#..................CC..#
#\.../#\.....##....../#\.CC./#
##############################"""
WALK = "rd 50, ru 45, r 20, d 33, ld 29, l 30, ld 12, ru 12, r 95, ru 70, rd 14, r 45"  # keys, and for how many ticks
KEYS = {"l": cm.Vec(-1, 0), "r": cm.Vec(1, 0), "u": cm.Vec(0, -1), "d": cm.Vec(0, 1)}
COLOURS = {"E": "#8FB8DE", "K": "#7FB069", "C": "#A47148", "D": "#A47148"}
DISC = np.array([cm.Vec(0.35, 0).rotated(angle) for angle in np.linspace(0, 6.28, 40)])
level = cm.read_grid(ROOM, legend={">": "one_way_right"})
place = {trigger.name: trigger.shape for trigger in level.triggers}
walls = cm.Index(cm.Shapes.concatenate([level.solids, level.one_way.shapes, cm.Shapes([place["C"], place["D"]])]))
shut, guard, gate = [len(walls) - 1], place["G"].position, level.one_way.shapes[0].vertices


def play(walk):
    player = cm.Circle(place["P"].position, 0.35)
    for tick, keys in enumerate(walk):
        step = sum((KEYS[key] for key in keys), cm.Vec(0, 0)) * 0.1
        gates = len(level.solids) + np.flatnonzero(level.one_way.directions @ step >= 0)  # that let this step through
        player = cm.move(player, step, walls, ignore=gates.tolist()).shape
        if shut and cm.intersects(player, place["K"]):
            walls.remove([shut.pop()])
        look, way = cm.Vec(9, 0).rotated(2.9 + 1.3 * np.sin(0.025 * tick)), player.center - guard
        rays = np.array([look.rotated(angle) for angle in np.linspace(-0.45, 0.45, 301)])
        rays *= np.fmin(walls.raycast(np.tile(guard, (301, 1)), rays).fraction, 1)[:, None]
        view = np.vstack((guard, np.add(guard, rays)))
        seen = way.length < 9 and way.dot(look) > 8.1 * way.length and walls.raycast(guard, way) is None
        painted = [("#F4F1EA", ((0, 0), (30, 0), (30, 11), (0, 11))), ("#F2B8A0" if seen else "#F7E7A1", view)]
        painted += [(COLOURS[name], place[name].vertices) for name in ("EKCD" if shut else "EKC")]
        painted += [("#3D405B", part.vertices) for part in level.solids]
        painted += [("orange", 2 * gate), ("firebrick", np.add(guard, DISC)), ("teal", np.add(player.center, DISC))]
        yield player.center, seen, painted


if "--window" in sys.argv:
    import pygame

    def pressed():
        names = {"l": pygame.K_LEFT, "r": pygame.K_RIGHT, "u": pygame.K_UP, "d": pygame.K_DOWN}
        while not pygame.event.get(pygame.QUIT):
            yield [name for name, key in names.items() if pygame.key.get_pressed()[key]]

    screen, clock = pygame.display.set_mode((1200, 440)), pygame.time.Clock()
    for *_, painted in play(pressed()):
        for colour, points in painted:
            pygame.draw.polygon(screen, colour, 40 * np.array(points))
        pygame.display.flip()
        clock.tick(60)
else:
    from matplotlib.figure import Figure

    walk = (keys for keys, ticks in map(str.split, WALK.split(",")) for _ in range(int(ticks)))
    centers, seen, painted = zip(*play(walk), strict=True)
    axes = Figure(figsize=(12, 4.8), layout="constrained").subplots()
    axes.set(xlim=(0, 30), ylim=(11, 0), aspect="equal", xticks=[], yticks=[])
    for colour, points in painted[-1]:
        axes.fill(*np.transpose(points), color=colour)
    axes.scatter(*np.transpose(centers), s=4, c=np.where(seen, "firebrick", "teal"))
    axes.set_title(f"{len(seen) / 60:.1f} seconds, {sum(seen) / 60:.1f} of them in the guard's sight")
    axes.figure.savefig("topdown.png", dpi=100)
