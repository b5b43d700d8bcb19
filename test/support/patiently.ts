/** More attempts would hide a bot that loses interactions. */
const mostTries = 4;

/**
 * Repeats an action if the bot did not respond in time, as people do: what was not acknowledged was not begun. On a
 * busy machine, a bot in another process may take longer than its three seconds.
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
