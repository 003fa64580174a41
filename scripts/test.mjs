import { CommandError, runMain } from './bootstrap/commandError.mjs'
import { compileCacheFolder } from './bootstrap/compileCache.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { quick, runStage, stages, suiteNames } from './bootstrap/suites.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'
import { testEnvironment } from './bootstrap/testEnvironment.mjs'
import { listFailures, slowestTests } from './bootstrap/testReports.mjs'

const help = `Usage: npm test -- [SUITE ...]

Runs the suites named, or all of them, and goes on after a failure.

Suites:  ${suiteNames.join(', ')}
         quick: ${quick.join(', ')}; a first answer in about a minute

The last line says how many tests passed and failed. One test file, faster:
npx vitest run tests/unit/i18n/texts.test.ts
npx playwright test tests/e2e/session/session.test.ts (on what "npm run build" has built)
`

await runMain(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  const names = args.flatMap((name) => (name === 'quick' ? quick : [name]))
  const unknown = names.find((name) => !suiteNames.includes(name))
  if (unknown) {
    const all = [...suiteNames, 'quick'].join(', ')
    throw new CommandError(`There is no suite ${unknown}; there are: ${all}`, 2)
  }
  const chosen = new Set(names.length > 0 ? names : suiteNames)

  requireSystemNode()
  await ensureInstalled()
  const node = findNode()
  let interrupted = false
  const env = testEnvironment(process.env, node, compileCacheFolder())
  const context = { node, env, isInterrupted: () => interrupted }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = true))
  const start = performance.now()
  /** @type {Awaited<ReturnType<typeof runStage>>} */
  const results = []
  for (const stage of stages) {
    results.push(...(await runStage(stage, chosen, context)))
    if (interrupted) throw new CommandError('Interrupted.', 130)
  }

  const slowest = slowestTests(
    results.flatMap(({ result }) => result.times),
    10,
  )
  if (slowest.length > 0) console.log(`\nThe slowest tests:\n${slowest.join('\n')}`)
  const failures = results.flatMap(({ result }) => result.failures)
  const repeated = listFailures(failures, true)
  if (repeated.length > 0) console.log(`\nPassed only when repeated:\n${repeated.join('\n')}`)
  const failedAgain = listFailures(failures, false)
  if (failedAgain.length > 0) console.log(`\nFailed:\n${failedAgain.join('\n')}`)
  const times = results.map(
    ({ name, seconds, result }) => `${name} ${seconds.toFixed(1)} s${result.failed > 0 ? ' (failed)' : ''}`,
  )
  const total = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`\n${times.join(', ')}; ${total} s in all`)
  const passed = results.reduce((sum, { result }) => sum + result.passed, 0)
  const failed = results.reduce((sum, { result }) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
})
