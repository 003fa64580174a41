import { vi } from 'vitest'

/** Milliseconds that `vi.waitFor` waits unless it says otherwise; `expect.poll` has the same from vitest.config.ts. */
const waitTimeoutMs = 60_000

// Vitest's own second is too short where tests share the cores with browsers.
const { waitFor } = vi
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: waitTimeoutMs, ...options })
