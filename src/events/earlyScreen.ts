/** The event of the window that says that the prompt of a terminal has been painted, before the console. */
export const earlyScreenPainted = 'wheelhouse:early-screen-painted'

/** Milliseconds after the navigation: the console waits no longer for a prompt. */
export const maxConsoleDelayMs = 500

/**
 * Resolves when the prompt of a terminal has been painted, or 500 ms after the navigation. What is loaded and compiled
 * before takes the processor from the prompt: scripts/build/preloadConsole.ts waits for the same.
 */
export function afterEarlyScreen(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener(earlyScreenPainted, () => resolve(), { once: true })
    setTimeout(resolve, maxConsoleDelayMs - performance.now())
  })
}
