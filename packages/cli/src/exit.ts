// Exit statuses of the command (they are part of its interface).

export const EXIT = {
  fine: 0,
  /** The program is wrong, or a comparison failed. */
  wrong: 1,
  usage: 2,
  /** The machine lacks what the target needs. */
  lacking: 3,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];
