"""A room from above, drawn as text: walls to slide along, a one-way gate, a plate that opens a door, a guard.

Leaves topdown.png, walked by a robot; with --window a game: walk with the arrow keys, step on the green plate, reach
the blue floor, Esc closes. Needs pygame-ce.
"""

import sys
from dataclasses import replace

import numpy as np

import carom as cm
from carom.draw import pygame

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
GUARD, PLAYER, SIZE = "#B22222", "#0E8080", (1200, 440)
CAMERA = cm.draw.Camera(SIZE, position=(15, 5.5), zoom=40, y_up=False)
level = cm.read_grid(ROOM, legend={">": "one_way_right"})
place = {trigger.name: trigger.shape for trigger in level.triggers}
walls = cm.Index(cm.Shapes.concatenate([level.solids, level.one_way.shapes, cm.Shapes([place["C"], place["D"]])]))
shut, guard = [len(walls) - 1], place["G"].position


def walk(player, keys):
    """Move the player by the keys that are down; the plate opens the door."""
    step = sum((KEYS[key] for key in keys), cm.Vec(0, 0)) * 0.1
    gates = len(level.solids) + np.flatnonzero(level.one_way.directions @ step >= 0)  # that let this step through
    player = cm.move(player, step, walls, ignore=gates.tolist()).shape
    if shut and cm.intersects(player, place["K"]):
        walls.remove([shut.pop()])
    return player


def look(tick, player):
    """Return what the guard sees at this tick, as a polygon, and whether the player is in it."""
    ahead, way = cm.Vec(9, 0).rotated(2.9 + 1.3 * np.sin(0.025 * tick)), player.center - guard
    rays = np.array([ahead.rotated(angle) for angle in np.linspace(-0.45, 0.45, 301)])
    rays *= np.fmin(walls.raycast(np.tile(guard, (301, 1)), rays).fraction, 1)[:, None]
    seen = way.length < 9 and way.dot(ahead) > 8.1 * way.length and walls.raycast(guard, way) is None
    return np.vstack((guard, np.add(guard, rays))), seen


def draw(screen, player, view, seen):
    screen.fill("#F4F1EA")
    pygame.draw.polygon(screen, "#F2B8A0" if seen else "#F7E7A1", CAMERA.to_pixel(view))
    names = "EKCD" if shut else "EKC"
    cm.draw.paint(screen, [place[name] for name in names], CAMERA, color=[COLOURS[name] for name in names])
    people = [cm.Circle(guard, 0.35), player]
    cm.draw.paint(screen, [replace(level, triggers=()), *people], CAMERA, color=["#6B7088", None, GUARD, PLAYER])


player, tick, trace = cm.Circle(place["P"].position, 0.35), 0, []
if "--window" in sys.argv:
    arrows = {"l": pygame.K_LEFT, "r": pygame.K_RIGHT, "u": pygame.K_UP, "d": pygame.K_DOWN}
    title = "Seen or not: arrow keys walk, the green plate opens the door, Esc closes"
    for screen, _ in cm.draw.frames(SIZE, title, sys.argv):
        player, tick = walk(player, [key for key, name in arrows.items() if pygame.key.get_pressed()[name]]), tick + 1
        draw(screen, player, *look(tick, player))
else:
    for keys, ticks in map(str.split, WALK.split(",")):
        for _ in range(int(ticks)):
            player, tick = walk(player, keys), tick + 1
            view, seen = look(tick, player)
            trace.append((player.center, GUARD if seen else PLAYER))
    draw(screen := pygame.Surface(SIZE), player, view, seen)
    for center, colour in trace:
        pygame.draw.aacircle(screen, colour, CAMERA.to_pixel(center), 2.5)
    pygame.image.save(screen, "topdown.png")
    print("wrote topdown.png")
