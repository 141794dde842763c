"""Bodies whose contacts last: all contacts of an island are solved together, to convergence."""
