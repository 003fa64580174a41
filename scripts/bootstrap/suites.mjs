import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { capture } from './capture.mjs'
import { CommandError } from './commandError.mjs'
import { runForeground } from './foreground.mjs'
import { cacheFolder, root } from './paths.mjs'
import { readPlaywrightReport, readVitestReport } from './testReports.mjs'

/**
 * @typedef {import('./testReports.mjs').SuiteResult} SuiteResult
 * @typedef {{ node: string, env: NodeJS.ProcessEnv }} Context
 * @typedef {{ output: string, result: SuiteResult }} CapturedResult
 * @typedef {{ name: string, check: (context: Context) => Promise<CapturedResult> }} Check runs beside the tests of its
 *   stage; what it prints is shown afterwards
 * @typedef {{ name: string, projects: string[] }} VitestSuite those of one stage share a run, and so the cores
 * @typedef {{ name: string, run: (context: Context) => Promise<SuiteResult> }} Suite
 * @typedef {{ checks?: Check[], vitest?: VitestSuite[], others?: Suite[] }} Stage
 */

const reports = join(cacheFolder, 'results')

/**
 * One after the other: what fails fast and explains the rest comes first, and what measures time or memory, or moves
 * hundreds of MiB, has the machine to itself at the end.
 *
 * @type {Stage[]}
 */
export const stages = [
  {
    checks: [
      { name: 'types', check: program('typescript/bin/tsc', '-p', '.') },
      { name: 'lint', check: program('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.') },
      { name: 'knip', check: program('knip/bin/knip.js', '--no-progress') },
      { name: 'build', check: build },
    ],
    vitest: [{ name: 'unit', projects: ['unit', 'unit-isolated'] }],
  },
  {
    vitest: [
      { name: 'ui', projects: ['ui', 'ui-isolated'] },
      { name: 'server', projects: ['server', 'server-isolated'] },
    ],
  },
  { others: [{ name: 'e2e', run: (context) => playwright(context, 'journeys') }] },
  { others: [{ name: 'heavy', run: heavy }] },
]

/** What gives a first answer soon. */
export const quick = ['types', 'lint', 'knip', 'unit']

export const suiteNames = stages.flatMap(({ checks = [], vitest = [], others = [] }) =>
  [...checks, ...vitest, ...others].map(({ name }) => name),
)

/**
 * Runs those suites of a stage that were chosen, and prints what they print.
 *
 * @param {Stage} stage
 * @param {ReadonlySet<string>} chosen names of suites
 * @param {Context} context
 * @returns {Promise<{ name: string, seconds: number, result: SuiteResult }[]>}
 */
export async function runStage(stage, chosen, context) {
  const [checks, vitest, others] = [stage.checks, stage.vitest, stage.others].map((suites = []) =>
    suites.filter(({ name }) => chosen.has(name)),
  )
  const running = /** @type {Check[]} */ (checks).map(({ name, check }) => ({
    name,
    measured: measure(() => check(context)),
  }))
  const tests = /** @type {Suite[]} */ ([
    ...mergeVitest(/** @type {VitestSuite[]} */ (vitest)),
    .../** @type {Suite[]} */ (others),
  ])
  const results = []
  for (const { name, run } of tests) {
    console.log(`\n== ${name}`)
    const { value, seconds } = await measure(() => run(context))
    results.push({ name, seconds, result: value })
  }
  const checked = []
  for (const { name, measured } of running) {
    const { value, seconds } = await measured
    console.log(`\n== ${name}`)
    if (value.output.trim()) console.log(value.output.trimEnd())
    checked.push({ name, seconds, result: value.result })
  }
  return [...checked, ...results]
}

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function measure(work) {
  const start = performance.now()
  const value = await work()
  return { value, seconds: (performance.now() - start) / 1000 }
}

/**
 * @param {string} file below node_modules
 * @param {string[]} args
 * @returns {Check['check']}
 */
function program(file, ...args) {
  return async ({ node, env }) => {
    const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const command = [join(root, 'node_modules', file), ...args]
    const { code, output } = await capture(node, command, { env: { ...env, ...colors } })
    return { output, result: withoutTests(code === 0) }
  }
}

/** @type {Check['check']} */
async function build({ node }) {
  try {
    await ensureBuilt(node)
    return { output: '', result: withoutTests(true) }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { output: error.message, result: withoutTests(false) }
  }
}

/**
 * @param {boolean} succeeded
 * @returns {SuiteResult}
 */
function withoutTests(succeeded) {
  return { passed: 0, failed: succeeded ? 0 : 1, times: [] }
}

/**
 * @param {VitestSuite[]} suites
 * @returns {Suite[]} one that runs them all, or none
 */
function mergeVitest(suites) {
  if (suites.length === 0) return []
  const projects = suites.flatMap((suite) => suite.projects)
  return [{ name: suites.map(({ name }) => name).join(' and '), run: (context) => vitest(context, projects) }]
}

/**
 * @param {Context} context
 * @param {string[]} projects
 */
async function vitest({ node, env }, projects) {
  const report = emptyReport(`vitest-${projects[0]}`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  for (const project of projects) options.push('--project', project)
  const code = await runForeground(node, [join(root, 'node_modules', 'vitest/vitest.mjs'), 'run', ...options], env)
  return readVitestReport(report, code)
}

/**
 * @param {Context} context
 * @param {string} project
 * @returns {Promise<SuiteResult>}
 */
async function playwright(context, project) {
  const { output, result } = await build(context)
  if (result.failed > 0) console.error(output)
  if (result.failed > 0) return result
  if ((await runForeground(context.node, ['tests/support/journeys/printChromium.ts'], context.env)) !== 0) {
    return withoutTests(false)
  }
  const report = emptyReport(`playwright-${project}`)
  const env = { ...context.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  // Once more for what a busy machine broke; the runner lists it apart, and the counts say so.
  const options = ['--project', project, '--retries=1', '--reporter=list,json']
  const cli = join(root, 'node_modules', '@playwright/test/cli.js')
  return readPlaywrightReport(report, await runForeground(context.node, [cli, 'test', ...options], env))
}

/** @param {Context} context */
async function heavy(context) {
  const server = await vitest(context, ['heavy'])
  const browser = await playwright(context, 'heavy')
  return {
    passed: server.passed + browser.passed,
    failed: server.failed + browser.failed,
    times: [...server.times, ...browser.times],
  }
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
