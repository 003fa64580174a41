import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { configuredEntities } from '../../../src/domain/configuration/configuredEntities.ts'
import type { RecordsByEntity } from '../../../src/domain/configuration/fileValues.ts'
import type { Plan } from '../../../src/domain/configuration/plan.ts'
import { planConfiguration } from '../../../src/domain/configuration/planConfiguration.ts'
import { problemText, warningText } from '../../../src/domain/configuration/problem.ts'
import { maxFileBytes, readConfiguration } from '../../../src/domain/configuration/readConfiguration.ts'
import { sharedNames, writeConfiguration } from '../../../src/domain/configuration/writeConfiguration.ts'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { StartError } from '../../log.ts'
import { replaceFile } from '../../replaceFile.ts'
import type { CommandContext, CommandOptions } from './command.ts'
import { planText, titleOf } from './planText.ts'
import { ApplyError, type ConfigurationSource, createApiClient, openServer } from './runningServer.ts'

/** The exit codes of `plan`. */
const exitCodes = { nothingToDo: 0, changes: 2 } as const

/** `export FILE`: writes the configuration to a file. Comments and variables of one that exists stay. */
export async function exportConfiguration(
  file: string,
  context: CommandContext,
  options: CommandOptions,
): Promise<void> {
  const path = existsSync(file) ? realpathSync(file) : resolve(file)
  const existing = existsSync(path) ? readText(path) : ''
  await withSource(options, context, async (source) => {
    const stored = await source.read()
    const shared = sharedNames(stored)
    if (shared.length > 0) {
      const list = shared.map(
        ({ entity, name, ids }) => `  ${entity} "${name}": ${ids.map((id) => `#${id}`).join(', ')}`,
      )
      throw new StartError(
        `In a file, records are found by their names. Give each of these a name of its own, then repeat this:\n${list.join('\n')}`,
      )
    }
    const text = written(stored, existing, file)
    if (text === existing) return context.log.info(`${file} is up to date.`)
    writeText(path, text)
    const count = configuredEntities().reduce((sum, { name }) => sum + (stored.get(name)?.all.length ?? 0), 0)
    context.log.info(`Wrote ${count} records to ${file}. Secrets are not in it.`)
  })
}

/** `plan FILE`: prints what `apply` would do. @returns the exit code, 2 when there are changes */
export async function planCommand(file: string, context: CommandContext, options: CommandOptions): Promise<number> {
  const text = readText(file)
  return withSource(options, context, async (source) => {
    const plan = planned(file, text, await source.read(), context, options)
    context.log.info(planText(plan))
    return plan.changes.length > 0 ? exitCodes.changes : exitCodes.nothingToDo
  })
}

/** `apply FILE`: prints the plan and carries it out; at a terminal, after a question. */
export async function applyCommand(file: string, context: CommandContext, options: CommandOptions): Promise<void> {
  const { log } = context
  const text = readText(file)
  await withSource(options, context, async (source) => {
    const stored = await source.read()
    const plan = planned(file, text, stored, context, options)
    log.info(planText(plan))
    if (plan.changes.length === 0) return
    if (!options.yes && !(await isConfirmed())) return log.info('Nothing was changed.')
    await carryOut(source, plan, stored, log)
    log.info('Applied.')
    warnAboutDifferences(file, text, await source.read(), log, options)
  })
}

async function carryOut(
  source: ConfigurationSource,
  plan: Plan,
  stored: RecordsByEntity,
  log: CommandContext['log'],
): Promise<void> {
  try {
    await source.apply(plan.changes, stored)
  } catch (error) {
    if (!(error instanceof ApplyError)) throw error
    const { done } = error
    const left = plan.changes.length - done.length
    if (done.length === 0) throw new StartError(`${error.message}\nNothing was changed.`)
    log.info(['Done before the failure:', ...done.map((change) => `  ${titleOf(change)}`)].join('\n'))
    throw new StartError(`${error.message}\n${left} changes were not made: correct the cause and apply the file again.`)
  }
}

/** Servers write some values in a form of their own, such as host names: then every plan would show them. */
function warnAboutDifferences(
  file: string,
  text: string,
  stored: RecordsByEntity,
  log: CommandContext['log'],
  options: CommandOptions,
): void {
  const { changes } = planConfiguration(readConfiguration(text), stored, { prune: options.prune === true })
  if (changes.length === 0) return
  const titles = changes.map(titleOf).join(', ')
  log.warn(`The server keeps some values otherwise than ${file} has them (${titles}): export the file again.`)
}

/** @throws StartError with every problem of the file */
function planned(
  file: string,
  text: string,
  stored: RecordsByEntity,
  { log, env }: CommandContext,
  options: CommandOptions,
): Plan {
  const plan = planConfiguration(readConfiguration(text), stored, {
    prune: options.prune === true,
    sendSecrets: options.secrets === true,
    variables: env,
  })
  for (const warning of plan.warnings) log.warn(`${file}:${warningText(warning)}`)
  if (plan.problems.length === 0) return plan
  throw new StartError(plan.problems.map((problem) => `${file}:${problemText(problem)}`).join('\n'))
}

async function withSource<T>(
  { server, token, user }: CommandOptions,
  context: CommandContext,
  work: (source: ConfigurationSource) => Promise<T>,
): Promise<T> {
  const { env } = context
  const access = {
    token: typeof token === 'string' ? token : env.WHEELHOUSE_TOKEN,
    ...(typeof user === 'string' && { username: user, password: env.WHEELHOUSE_PASSWORD }),
  }
  const source =
    typeof server === 'string' ? await openServer(await createApiClient(server, access)) : await openOwnFolder(context)
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Loaded only now: it imports the whole server. */
async function openOwnFolder(context: CommandContext): Promise<ConfigurationSource> {
  const { openFolder } = await import('./folderSource.ts')
  return openFolder(context)
}

function readText(file: string): string {
  try {
    const { size } = statSync(file)
    if (size > maxFileBytes) throw new StartError(`${file} is larger than ${maxFileBytes / 1024 / 1024} MiB.`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${file} cannot be read (${errorCode(error)}).`, { cause: error })
  }
}

function written(stored: RecordsByEntity, existing: string, file: string): string {
  try {
    return writeConfiguration(stored, existing)
  } catch (error) {
    throw new StartError(`${file} is no YAML (${errorMessage(error)}): repair it, or choose another file.`, {
      cause: error,
    })
  }
}

function writeText(path: string, text: string): void {
  try {
    replaceFile(path, text, existsSync(path) ? statSync(path).mode : undefined)
  } catch (error) {
    throw new StartError(`${path} cannot be written (${errorCode(error)}).`, { cause: error })
  }
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question('Apply these changes? [y/N] ')
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
