import { CommandError, runMain } from './bootstrap/commandError.mjs'
import { compileCacheFolder } from './bootstrap/compileCache.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { quick, runSuites, suiteNames } from './bootstrap/suites.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'
import { testEnvironment } from './bootstrap/testEnvironment.mjs'

const help = `Usage: npm test -- [SUITE ...]

Runs the suites named, or all of them, and goes on after a failure.

Suites:  ${suiteNames.join(', ')}
         quick: ${quick.join(', ')}; a first answer in about a minute

The last line says how many tests passed and failed. One test file, faster:
npx vitest run tests/texts/complete.test.ts
npx playwright test tests/e2e/session/session.test.ts
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
  const env = testEnvironment(process.env, node, compileCacheFolder())
  const start = performance.now()
  const results = await runSuites(chosen, { node, env })
  const times = results.map(
    ({ name, seconds, result }) => `${name} ${seconds.toFixed(1)} s${result.failed > 0 ? ' (failed)' : ''}`,
  )
  const total = ((performance.now() - start) / 1000).toFixed(0)
  const failures = results.flatMap(({ result }) => result.failures)
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
  console.log(`\n${times.join(', ')}; ${total} s in all`)
  const passed = results.reduce((sum, { result }) => sum + result.passed, 0)
  const failed = results.reduce((sum, { result }) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
})
