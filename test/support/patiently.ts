/** More would hide a bot that loses what it is asked. */
const mostTries = 4;

/**
 * Acts again where the bot did not respond in time, as people do: what it has not acknowledged it has not begun. A bot in a
 * process of its own may take its three seconds on a busy machine.
 */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      const isLate = error instanceof Error && error.name === "InteractionFailed";
      if (!isLate || tries === mostTries) throw error;
    }
  }
}
