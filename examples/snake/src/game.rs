//! The rules: they know no button, no time and no pixel.

use std::collections::VecDeque;

/// Cells of a side of the field.
pub const SIDE: i32 = 14;

pub type Cell = (i32, i32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    fn step(self) -> Cell {
        match self {
            Self::Up => (0, -1),
            Self::Down => (0, 1),
            Self::Left => (-1, 0),
            Self::Right => (1, 0),
        }
    }
}

pub enum Event {
    /// The snake has left the cell of its tail.
    Moved {
        left: Cell,
    },
    Ate,
    /// The snake has bitten itself or the wall.
    Bit,
}

pub struct Snake {
    /// The cells, head first.
    pub cells: VecDeque<Cell>,
    pub food: Cell,
    direction: Direction,
}

impl Snake {
    pub fn new(random: impl FnMut() -> u32) -> Self {
        let cells = VecDeque::from([(6, 7), (5, 7), (4, 7)]);
        let mut snake = Self { cells, food: (0, 0), direction: Direction::Right };
        snake.feed(random);
        snake
    }

    /// Turns the snake, unless it would turn back into itself.
    pub fn turn(&mut self, direction: Direction) {
        if self.next(direction) != self.cells[1] {
            self.direction = direction;
        }
    }

    pub fn step(&mut self, random: impl FnMut() -> u32) -> Event {
        let head = self.next(self.direction);
        let is_outside = !(0..SIDE).contains(&head.0) || !(0..SIDE).contains(&head.1);
        if is_outside || self.cells.contains(&head) {
            return Event::Bit;
        }
        self.cells.push_front(head);
        if head == self.food {
            self.feed(random);
            return Event::Ate;
        }
        match self.cells.pop_back() {
            Some(left) => Event::Moved { left },
            None => Event::Bit,
        }
    }

    pub fn score(&self) -> usize {
        self.cells.len() - 3
    }

    fn next(&self, direction: Direction) -> Cell {
        let ((x, y), (right, down)) = (self.cells[0], direction.step());
        (x + right, y + down)
    }

    fn feed(&mut self, mut random: impl FnMut() -> u32) {
        let free: Vec<Cell> = (0..SIDE * SIDE)
            .map(|number| (number % SIDE, number / SIDE))
            .filter(|cell| !self.cells.contains(cell))
            .collect();
        if let Some(cell) = free.get(random() as usize % free.len().max(1)) {
            self.food = *cell;
        }
    }
}
