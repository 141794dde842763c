"""The parts of Gymnasium that environments are made of, or the error that says how to install it.

In: nothing. Out: the names.
"""

try:
    from gymnasium import Env as Env
    from gymnasium import spaces as spaces
    from gymnasium.error import ResetNeeded as ResetNeeded
    from gymnasium.utils.seeding import np_random as np_random
    from gymnasium.vector import AutoresetMode as AutoresetMode
    from gymnasium.vector import VectorEnv as VectorEnv
    from gymnasium.vector.utils import batch_space as batch_space
except ModuleNotFoundError as missing:
    if missing.name != "gymnasium":
        raise
    text = 'Breakout as an environment needs gymnasium, of the extra `gym`: pip install "gymnasium>=1.1"'
    raise ModuleNotFoundError(text, name="gymnasium") from None
