/** How often a race is run: a few times with the other tests, as often as RACE_ROUNDS says on demand. */
export const raceRounds = (usual: number): number => Number(process.env.RACE_ROUNDS ?? usual)
