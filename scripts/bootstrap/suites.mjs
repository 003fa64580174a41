import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { captureNode } from './capture.mjs'
import { CommandError } from './commandError.mjs'
import { runForeground } from './foreground.mjs'
import { cacheFolder, root } from './paths.mjs'
import { readPlaywrightReport, readVitestReport } from './testReports.mjs'

/**
 * @typedef {import('./testReports.mjs').SuiteResult} SuiteResult
 * @typedef {{ node: string, env: NodeJS.ProcessEnv, isInterrupted: () => boolean }} Context
 * @typedef {(args: string[], env: NodeJS.ProcessEnv) => Promise<number>} Execute runs Node, resolves with its exit code
 * @typedef {{ context: Context, execute: Execute, print: (text: string) => void }} Run how a suite starts programs and
 *   says something: at once, or after the suite beside which it runs
 * @typedef {{ name: string, after?: string, run: (run: Run) => Promise<SuiteResult> }} Suite it starts with its stage,
 *   or when the suite `after` of this stage has ended
 * @typedef {{ name: string, projects: string[] }} VitestSuite those of one stage share a run, and so the cores
 * @typedef {{ vitest?: VitestSuite[], others?: Suite[] }} Stage
 */

const reports = join(cacheFolder, 'results')

/**
 * One after the other: what fails fast and explains the rest comes first, what measures the memory of servers or floods
 * them follows, and what measures time has the machine to itself at the end. What is in one stage runs at the same time:
 * tests that wait for servers and browsers leave the cores to others.
 *
 * @type {Stage[]}
 */
export const stages = [
  {
    vitest: [{ name: 'unit', projects: ['unit', 'unit-isolated'] }],
    others: [
      // The compiler is a Go program: with the default, 100, a sixth of its time goes into collecting garbage.
      { name: 'types', run: program('typescript/bin/tsc', ['-p', '.', '--checkers', '1'], { GOGC: '400' }) },
      { name: 'lint', run: program('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']) },
      { name: 'knip', run: program('knip/bin/knip.js', ['--no-progress']) },
      { name: 'build', run: build },
    ],
  },
  {
    vitest: [
      { name: 'ui', projects: ['ui', 'ui-isolated'] },
      { name: 'server', projects: ['server', 'server-isolated'] },
    ],
    others: [
      { name: 'e2e', run: (run) => playwright(run, 'journeys') },
      // One at a time: two journeys and what moves hundreds of MiB would wait for each other too long.
      { name: 'heavy-e2e', after: 'e2e', run: (run) => playwright(run, 'heavy') },
    ],
  },
  { vitest: [{ name: 'heavy', projects: ['heavy'] }] },
  { vitest: [{ name: 'alone', projects: ['alone'] }] },
]

/** What gives a first answer soon. */
export const quick = ['types', 'lint', 'knip', 'unit']

export const suiteNames = stages.flatMap(({ vitest = [], others = [] }) =>
  [...vitest, ...others].map(({ name }) => name),
)

/**
 * Runs those suites of a stage that were chosen, at the same time. What the first one prints is shown at once, what the
 * others print when it has ended.
 *
 * @param {Stage} stage
 * @param {ReadonlySet<string>} chosen names of suites
 * @param {Context} context
 * @returns {Promise<{ name: string, seconds: number, result: SuiteResult }[]>}
 */
export async function runStage({ vitest = [], others = [] }, chosen, context) {
  const isChosen = (/** @type {{ name: string }} */ { name }) => chosen.has(name)
  const [first, ...rest] = [...mergeVitest(vitest.filter(isChosen)), ...others.filter(isChosen)]
  if (!first) return []
  console.log(`\n== ${first.name}`)
  const firstMeasured = measure(() => first.run(inForeground(context)))
  /** @type {Map<string | undefined, Promise<unknown>>} */
  const started = new Map([[first.name, firstMeasured]])
  const beside = rest.map((suite) => {
    const captured = runCaptured(suite, context, started.get(suite.after))
    started.set(suite.name, captured.measured)
    return { suite, ...captured }
  })
  const results = [{ name: first.name, ...(await firstMeasured) }]
  for (const { suite, measured, output } of beside) {
    const result = await measured
    console.log(`\n== ${suite.name}`)
    if (output().trim()) console.log(output().trimEnd())
    results.push({ name: suite.name, ...result })
  }
  return results
}

/**
 * @param {Context} context
 * @returns {Run}
 */
function inForeground(context) {
  return { context, execute: (args, env) => runForeground(context.node, args, env), print: console.log }
}

/**
 * @param {Suite} suite
 * @param {Context} context
 * @param {Promise<unknown>} [before] what ends before it starts
 */
function runCaptured(suite, context, before) {
  let text = ''
  const print = (/** @type {string} */ more) => {
    text += `${more}\n`
  }
  /** @type {Execute} */
  const execute = async (args, env) => {
    const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const { code, output } = await captureNode(context.node, args, { ...env, ...colors })
    print(output)
    return code ?? 1
  }
  const run = () => measure(() => suite.run({ context, execute, print }))
  const runUnlessInterrupted = () => (context.isInterrupted() ? { result: withoutTests(false), seconds: 0 } : run())
  return { measured: before ? before.then(runUnlessInterrupted) : run(), output: () => text }
}

/**
 * @param {() => Promise<SuiteResult>} work
 */
async function measure(work) {
  const start = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - start) / 1000 }
}

/**
 * @param {string} file below node_modules
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [settings] environment variables that it gets beside those of all suites
 * @returns {Suite['run']}
 */
function program(file, args, settings = {}) {
  return async ({ context, execute }) =>
    withoutTests((await execute([join(root, 'node_modules', file), ...args], { ...context.env, ...settings })) === 0)
}

/** @type {Suite['run']} */
async function build({ context, print }) {
  try {
    await ensureBuilt(context.node)
    return withoutTests(true)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    print(error.message)
    return withoutTests(false)
  }
}

/**
 * @param {boolean} succeeded
 * @returns {SuiteResult}
 */
function withoutTests(succeeded) {
  return { passed: 0, failed: succeeded ? 0 : 1, times: [], failures: [] }
}

/**
 * @param {VitestSuite[]} suites
 * @returns {Suite[]} one that runs them all, or none
 */
function mergeVitest(suites) {
  if (suites.length === 0) return []
  const projects = suites.flatMap((suite) => suite.projects)
  return [{ name: suites.map(({ name }) => name).join(' and '), run: (run) => vitest(run, projects) }]
}

/**
 * Like the journeys, tests run once more when they fail, so that the end of a run tells apart what is broken from what
 * depends on the pace of the machine: `npm test` names both.
 *
 * @param {Run} run
 * @param {string[]} projects
 */
async function vitest({ context, execute }, projects) {
  const report = emptyReport(`vitest-${projects[0]}`)
  const options = ['--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  for (const project of projects) options.push('--project', project)
  const code = await execute([join(root, 'node_modules', 'vitest/vitest.mjs'), 'run', ...options], context.env)
  return readVitestReport(report, code)
}

/**
 * @param {Run} run
 * @param {string} project
 * @returns {Promise<SuiteResult>}
 */
async function playwright(run, project) {
  const { context, execute } = run
  const built = await build(run)
  if (built.failed > 0) return built
  if ((await execute(['tests/support/journeys/printChromium.ts'], context.env)) !== 0) return withoutTests(false)
  const report = emptyReport(`playwright-${project}`)
  const env = { ...context.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const options = ['--project', project, '--retries=1', '--reporter=list,json']
  const cli = join(root, 'node_modules', '@playwright/test/cli.js')
  return readPlaywrightReport(report, await execute([cli, 'test', ...options], env))
}

/**
 * Where a suite shall write its results; an older report is removed, so that it cannot be taken for this run's.
 *
 * @param {string} name
 */
function emptyReport(name) {
  mkdirSync(reports, { recursive: true })
  const report = join(reports, `${name}.json`)
  rmSync(report, { force: true })
  return report
}
