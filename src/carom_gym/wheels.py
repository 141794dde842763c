"""The wheels of cars: engines, brakes, the grip of tyres, and the tiles that they touch.

In: tables of cars, what their drivers do, their roads. Out: velocities with the push of the tyres in them, the motors
of the steering, and which tiles were touched for the first time.
Numbers of the model are those of Gymnasium's source (Farama Foundation, car_dynamics of CarRacing-v3, MIT).
"""

from __future__ import annotations

import math

from carom import inner, uncounted_kernel
from carom_gym.arrays import Booleans, Floats, Integers
from carom_gym.track_pixels import SIZE, WHEEL_HALF, WHEEL_RADIUS, Car, Cars

FPS = 50.0
POWER, INERTIA, GRIP, STIFF = 1e8 * SIZE**2, 4000 * SIZE**2, 1e6 * SIZE**2, 205000 * SIZE**2
"""Of the engine, of a wheel about its axle, the greatest force of a tyre, and force per metre a second of slip."""
ON_GRASS, BRAKE, LOCKED, EAGER, QUICK, FASTEST = 0.6, 15.0, 0.9, 0.1, 50.0, 3.0
"""The share of the grip on grass, radians a second that the brake takes in a step, from where on it locks, how much
more gas a step gives, and how fast the steering turns: per radian that is missing, and at most."""
LOCK, LAST = 0.4, 0.4 + math.radians(2)
"""Steering stops at the first step at or beyond the lock, as the original's does, whose limits give by two degrees."""
SKIN, FAR = 0.02, 14.0
"""Shapes of the original touch from this distance on; and how far from a car the tiles are that it may touch."""


@uncounted_kernel
def drive(
    controls: Floats,
    cars: Cars,
    turned: Floats,
    engines: Floats,
    on_road: Booleans,
    per_mass: float,
    velocities: Floats,
    motors: Floats,
) -> None:
    """Turn the wheels by engine and brake, and push them by the grip of their tyres for one step.

    Parameters
    ----------
    controls : (n, 3)
        Where the steering is to go, gas and brake.
    cars : (n,) CAR
        Where the wheels are.
    turned : (n, 4)
        The angle of each wheel in the car.
    engines : (n, 4, 3)
        Gas, spin and angle of each wheel about its axle; changed.
    on_road : (n, 4)
        Which wheels touch a tile.
    per_mass : float
        1 over the mass of a wheel.
    velocities : (n, 5, 2)
        Of hull and wheels; changed.
    motors : (n, 4)
        Speeds of the motors that steer; overwritten.
    """
    dt = 1.0 / FPS
    for g in range(len(cars)):
        gas, brake = min(max(controls[g, 1], 0.0), 1.0), controls[g, 2]
        for w in range(4):
            away = (controls[g, 0] if w < 2 else 0.0) - turned[g, w]
            motors[g, w] = min(max(QUICK * away, -FASTEST), FASTEST)
            if (turned[g, w] >= LOCK and away > 0.0) or (turned[g, w] <= -LOCK and away < 0.0):
                motors[g, w] = 0.0
            if w >= 2:
                engines[g, w, 0] += min(gas - engines[g, w, 0], EAGER)
            omega = engines[g, w, 1]
            omega += dt * POWER * engines[g, w, 0] / INERTIA / (abs(omega) + 5.0)
            if brake >= LOCKED:
                omega = 0.0
            elif brake > 0.0:
                slower = min(BRAKE * brake, abs(omega))
                omega -= slower if omega > 0.0 else -slower
            engines[g, w, 2] += omega * dt
            cos, sin = cars[g].wheels[w, 2], cars[g].wheels[w, 3]
            vx, vy = velocities[g, w + 1, 0], velocities[g, w + 1, 1]
            along = (omega * WHEEL_RADIUS - (cos * vy - sin * vx)) * STIFF
            aside = -(cos * vx + sin * vy) * STIFF
            size, most = math.sqrt(along * along + aside * aside), GRIP if on_road[g, w] else GRIP * ON_GRASS
            if size > most:
                along *= most / size
                aside *= most / size
            engines[g, w, 1] = omega - dt * along * WHEEL_RADIUS / INERTIA
            velocities[g, w + 1, 0] = vx + (aside * cos - along * sin) * dt * per_mass
            velocities[g, w + 1, 1] = vy + (aside * sin + along * cos) * dt * per_mass


@inner
def touches(car: Car, w: int, edges: Floats, g: int, i: int, j: int) -> bool:
    """Tell whether a wheel touches the tile between two lines across the road: no axis of either keeps them apart."""
    x, y, cos, sin = car.wheels[w, 0], car.wheels[w, 1], car.wheels[w, 2], car.wheels[w, 3]
    for axis in range(6):  # two of the wheel, four of the tile
        if axis == 0:
            nx, ny = cos, sin
        elif axis == 1:
            nx, ny = -sin, cos
        else:  # the sides of the tile: across at i, right, across at j, left
            a, b = (i, j) if axis >= 4 else (i, i)
            if axis == 3:
                a, b = j, j
            from_x, from_y = edges[g, a, 2 if axis == 4 else 0], edges[g, a, 3 if axis == 4 else 1]
            to_x, to_y = edges[g, b, 0 if axis == 5 else 2], edges[g, b, 1 if axis == 5 else 3]
            dx, dy = to_x - from_x, to_y - from_y
            length = math.sqrt(dx * dx + dy * dy)
            nx, ny = (dy / length, -dx / length) if length > 0.0 else (cos, sin)
        reach = WHEEL_HALF * abs(nx * cos + ny * sin) + WHEEL_RADIUS * abs(ny * cos - nx * sin) + SKIN
        least, most = math.inf, -math.inf
        for corner in range(4):
            m, side = i if corner < 2 else j, 2 * (corner % 2)
            along = nx * (edges[g, m, side] - x) + ny * (edges[g, m, side + 1] - y)
            least, most = min(least, along), max(most, along)
        if least > reach or most < -reach:
            return False
    return True


@uncounted_kernel
def roll(
    cars: Cars, edges: Floats, visited: Booleans, counts: Integers, on_road: Booleans, needed: float, lapped: Booleans
) -> None:
    """Find the tiles that wheels touch.

    Parameters
    ----------
    cars : (n,) CAR
    edges : (n, tiles, 4)
        The left and the right end of each line across the road; a tile lies between its line and the one before.
    visited : (n, tiles)
        Which tiles were ever touched; changed.
    counts : (n,)
        How many; changed.
    on_road : (n, 4)
        Which wheels touch one; overwritten.
    needed : float
        The share of tiles after which the first one ends the lap.
    lapped : (n,)
        Whether that happened; changed.
    """
    for g in range(len(cars)):
        car = cars[g]
        for w in range(4):
            on_road[g, w] = False
        for i in range(car.tiles):
            dx, dy = 0.5 * (edges[g, i, 0] + edges[g, i, 2]) - car.x, 0.5 * (edges[g, i, 1] + edges[g, i, 3]) - car.y
            if dx * dx + dy * dy < FAR * FAR:
                for w in range(4):
                    if touches(car, w, edges, g, i, i - 1 if i > 0 else car.tiles - 1):
                        on_road[g, w] = True
                        if not visited[g, i]:
                            visited[g, i] = True
                            counts[g] += 1
                            if i == 0 and counts[g] > needed * car.tiles:
                                lapped[g] = True
