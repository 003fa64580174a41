import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { Refusal, runMain } from './bootstrap/refusal.mjs'
import { suites } from './bootstrap/suites.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'
import { testEnvironment } from './bootstrap/testEnvironment.mjs'

/** Runs the suites named as arguments, else all; goes on after a failure, for the next one may tell more. */
await runMain(async () => {
  const wanted = process.argv.slice(2)
  const names = Object.keys(suites)
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown) throw new Refusal(`There is no suite ${unknown}; there are: ${names.join(', ')}`, 2)

  requireSystemNode()
  await ensureInstalled()
  const node = findNode()
  const context = { node, env: testEnvironment(process.env, node) }

  let interrupted = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = true))
  let passed = 0
  let failed = 0
  const times = []
  for (const [name, run] of Object.entries(suites)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    console.log(`\n== ${name}`)
    const start = performance.now()
    const result = await run(context)
    const time = `${name} ${((performance.now() - start) / 1000).toFixed(1)} s`
    console.log(result.failed > 0 ? `${time}, failed` : time)
    if (interrupted) throw new Refusal('Interrupted.', 130)
    times.push(time)
    passed += result.passed
    failed += result.failed
  }
  console.log(`\n${times.join(', ')}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
})
