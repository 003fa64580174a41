import { mkdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { captureNode } from './capture.mjs'
import { CommandError } from './commandError.mjs'
import { runForeground } from './foreground.mjs'
import { cacheFolder, root } from './paths.mjs'
import { readPlaywrightReport, readVitestReport, withoutTests } from './testReports.mjs'

/**
 * @typedef {import('./testReports.mjs').SuiteResult} SuiteResult
 * @typedef {{ node: string, env: NodeJS.ProcessEnv }} Context
 * @typedef {{ name: string, args: string[], env?: NodeJS.ProcessEnv, read: (code: number) => SuiteResult }} Program
 *   a runner or checker below node_modules; `read` makes its result of its exit code, and of its report where it has one
 */

/** Suites that are projects of vitest.config.ts, each with its `*-isolated` and `*-postgres` ones where it has them. */
const vitestSuites = ['texts', 'unit', 'ui', 'server', 'heavy']

/**
 * Where journeys run too, this follows them: they leave their share of the cores half way through the others, and its
 * tests mostly wait, one after the other.
 */
const afterJourneys = 'heavy'
const checkers = ['types', 'lint', 'knip']

/** Exit codes of a runner whose user, or whose parent, wanted the end. */
const endings = [constants.signals.SIGINT, constants.signals.SIGTERM, constants.signals.SIGHUP].map(
  (signal) => 128 + signal,
)

/** What gives a first answer soon. */
export const quick = [...checkers, 'texts', 'unit']
export const suiteNames = [...checkers, ...vitestSuites, 'e2e', 'alone']

/** @type {Record<string, Program>} */
const programs = {
  // The compiler is a Go program: with the default, 100, a sixth of its time goes into collecting garbage.
  types: checker('types', ['typescript/bin/tsc', '-p', '.', '--checkers', '1'], { GOGC: '400' }),
  lint: checker('lint', ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']),
  knip: checker('knip', ['knip/bin/knip.js', '--no-progress']),
  e2e: playwright(),
  alone: vitest('alone', ['alone']),
}

/**
 * Runs the chosen suites, all at the same time: what waits for servers, sockets and browsers leaves the cores to others.
 * Only what measures time has the machine to itself, at the end. The first one prints as it goes, the others when they
 * have ended.
 *
 * @param {ReadonlySet<string>} chosen names of suites
 * @param {Context} context
 * @returns {Promise<{ name: string, seconds: number, result: SuiteResult }[]>}
 * @throws {CommandError} when somebody ended it
 */
export async function runSuites(chosen, context) {
  const follows = chosen.has('e2e') && chosen.has(afterJourneys)
  const inVitest = vitestSuites.filter((name) => chosen.has(name) && !(follows && name === afterJourneys))
  const together = inVitest.length > 0 ? [[vitest(inVitest.join(', '), inVitest)]] : []
  for (const name of ['e2e', ...checkers]) {
    const program = chosen.has(name) && programs[name]
    if (!program) continue
    const next = follows && name === 'e2e' ? [vitest(afterJourneys, [afterJourneys], ['--maxWorkers=1'])] : []
    together.push([program, ...next])
  }
  const [first, ...others] = together.map((row, index) => runInTurn(row, context, index > 0))
  const results = first ? await first : []
  results.push(...(await Promise.all(others)).flat())
  if (chosen.has('alone') && programs.alone) results.push(await run(programs.alone, context, false))
  return results
}

/**
 * @param {readonly Program[]} row
 * @param {Context} context
 * @param {boolean} isBeside as of `run`
 */
async function runInTurn(row, context, isBeside) {
  const results = []
  for (const program of row) results.push(await run(program, context, isBeside))
  return results
}

/**
 * @param {Program} program
 * @param {Context} context
 * @param {boolean} isBeside whether what it prints is shown when it has ended
 */
async function run({ name, args, env, read }, context, isBeside) {
  const start = performance.now()
  const allArgs = [join(root, 'node_modules', args[0] ?? ''), ...args.slice(1)]
  const allEnv = { ...context.env, ...env }
  let code = 0
  if (isBeside) {
    const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const captured = await captureNode(context.node, allArgs, { ...allEnv, ...colors })
    code = captured.code ?? 1
    console.log(`\n== ${name}\n${captured.output.trim()}`)
  } else {
    console.log(`\n== ${name}`)
    code = await runForeground(context.node, allArgs, allEnv)
    if (endings.includes(code)) throw new CommandError('Interrupted.', code)
  }
  return { name, seconds: (performance.now() - start) / 1000, result: read(code) }
}

/**
 * @param {string} name
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Program}
 */
function checker(name, args, env) {
  return { name, args, env, read: withoutTests }
}

/**
 * @param {string} name
 * @param {readonly string[]} suites
 * @param {readonly string[]} [options]
 * @returns {Program}
 */
function vitest(name, suites, options = []) {
  const report = reportFile(`vitest-${suites[0]}`)
  const projects = suites.flatMap((suite) =>
    [suite, `${suite}-isolated`, `${suite}-postgres`].flatMap((project) => ['--project', project]),
  )
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['vitest/vitest.mjs', 'run', ...reporters, ...options, ...projects]
  return { name, args, read: (code) => readVitestReport(report, code) }
}

/** @returns {Program} */
function playwright() {
  const report = reportFile('playwright')
  return {
    name: 'e2e',
    args: ['@playwright/test/cli.js', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    read: (code) => readPlaywrightReport(report, code),
  }
}

/**
 * Where a runner shall write its results; an older report is removed, so that it cannot be taken for this run's.
 *
 * @param {string} name
 */
function reportFile(name) {
  const folder = join(cacheFolder, 'results')
  mkdirSync(folder, { recursive: true })
  const report = join(folder, `${name}.json`)
  rmSync(report, { force: true })
  return report
}
