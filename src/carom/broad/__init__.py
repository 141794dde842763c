"""Which of many shapes may touch: grids, trees and the choice between them."""
