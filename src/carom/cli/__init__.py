"""The command `carom` and its programs; what they show stands in the subpackages."""

from carom.cli.programs import main as main
