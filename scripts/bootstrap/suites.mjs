import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { runForeground } from './foreground.mjs'
import { cacheFolder, root } from './paths.mjs'
import { Refusal } from './refusal.mjs'
import { countPlaywright, countVitest } from './testCounts.mjs'

/**
 * @typedef {{ node: string, env: NodeJS.ProcessEnv }} Context
 * @typedef {{ passed: number, failed: number }} Counts a step that is no test counts only when it fails, as one
 * @typedef {(context: Context) => Promise<Counts>} Suite
 */

const results = join(cacheFolder, 'results')

/** In the order they run: what fails fast and explains the rest comes first. */
export const suites = /** @type {Record<string, Suite>} */ ({
  types: step('typescript/bin/tsc', '-p', '.'),
  lint: step('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  knip: step('knip/bin/knip.js', '--no-progress'),
  unit: vitest('unit'),
  ui: vitest('ui'),
  server: vitest('server'),
  build,
  e2e,
})

/**
 * @param {string} program below node_modules
 * @param {string[]} args
 * @returns {Suite}
 */
function step(program, ...args) {
  return async (context) => ({ passed: 0, failed: (await tool(context, program, args)) === 0 ? 0 : 1 })
}

/**
 * @param {string} project
 * @returns {Suite}
 */
function vitest(project) {
  return async (context) => {
    const report = freshReport(project)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    return countVitest(report, await tool(context, 'vitest/vitest.mjs', ['run', '--project', project, ...reporters]))
  }
}

/** @type {Suite} */
async function build({ node }) {
  try {
    await ensureBuilt(node)
    return { passed: 0, failed: 0 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    return { passed: 0, failed: 1 }
  }
}

/** @type {Suite} */
async function e2e(context) {
  const built = await build(context)
  if (built.failed > 0) return built
  if ((await runForeground(context.node, ['tests/support/journeys/announceChromium.ts'], context.env)) !== 0) {
    return { passed: 0, failed: 1 }
  }
  const report = freshReport('e2e')
  const env = { ...context.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  // Once more for what a busy machine broke; the runner lists it apart, and the counts say so.
  const args = ['test', '--retries=1', '--reporter=list,json']
  const code = await tool({ ...context, env }, '@playwright/test/cli.js', args)
  return countPlaywright(report, code)
}

/**
 * @param {Context} context
 * @param {string} program below node_modules
 * @param {string[]} args
 */
function tool({ node, env }, program, args) {
  return runForeground(node, [join(root, 'node_modules', program), ...args], env)
}

/**
 * Where a suite shall write its results; an older report is removed, so that it cannot be taken for this run's.
 *
 * @param {string} name
 */
function freshReport(name) {
  mkdirSync(results, { recursive: true })
  const report = join(results, `${name}.json`)
  rmSync(report, { force: true })
  return report
}
