/** Monday morning: what a test takes for now until it moves the clock. */
export const TEST_NOW = new Date('2026-03-02T08:00:00.000Z');
