import { onTestFinished, vi } from 'vitest'

/**
 * Keeps `console.error` quiet until the test is over. React-admin writes failures there by itself, but only while
 * somebody develops; what is caught here is what people's consoles show.
 * @returns what was written so far
 */
export function catchErrors(): () => string {
  vi.stubEnv('NODE_ENV', 'production')
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    log.mockRestore()
    vi.unstubAllEnvs()
  })
  return () => log.mock.calls.flat().map(String).join('\n')
}
