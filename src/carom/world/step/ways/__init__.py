"""Ways of bodies through a step, in portions; and whom they may meet on them."""
