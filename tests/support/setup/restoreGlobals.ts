import { afterAll, vi } from 'vitest'

// Files that share a process would otherwise find the clock and the globals that the one before has replaced.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
