import { defineConfig } from 'vitest/config'

/**
 * The benches: `npm run bench`, or `npm run bench -- console` for those of one file. One at a time, each file in a process
 * of its own, where Node runs the measured code as it is; Vite would put something between its modules.
 */
export default defineConfig({
  test: {
    benchmark: { include: ['scripts/bench/*.bench.ts'] },
    experimental: { viteModuleRunner: false },
    // As the server and the pages have it.
    env: { NODE_ENV: 'production' },
    fileParallelism: false,
    // They take as long as they take: what is slow misses a limit.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
})
