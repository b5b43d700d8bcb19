/** What keeps watches from working: noticed, said once, and said once that it is over. */

export { createTroubles, type Troubles } from "./create-troubles.ts";
export { codesOfPlaces, codesOfPolls, type Noticed, pauseOf, troubleOf } from "./trouble-of.ts";
