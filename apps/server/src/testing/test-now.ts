/** Monday morning: the present of a test until it moves the clock. */
export const TEST_NOW = new Date('2026-03-02T08:00:00.000Z');
