import { onTestFinished, vi } from 'vitest'

/** Keeps `console.error` quiet until the test is over. @returns what was written there so far */
export function catchErrors(): () => string {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void log.mockRestore())
  return () => log.mock.calls.flat().map(String).join('\n')
}
