import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { refusalText, skipText } from '../../src/domain/imports/importTexts.ts'
import type { ImportPlanReply } from '../../src/schemas/endpoints/importEndpoints.ts'
import {
  type ImportKind,
  importKinds,
  maxImportBytes,
  maxSettingsLength,
} from '../../src/schemas/imports/importKinds.ts'
import { type ImportData, ImportRefusal } from '../imports/readers/importData.ts'
import { type ImportFile, readImportFile } from '../imports/runImportProcess.ts'
import { escapeUnseen, StartError } from '../log.ts'
import { ApiError } from '../wire/apiCall.ts'
import { type CommandContext, type CommandOptions, openApp } from './configuration/command.ts'
import { planText } from './configuration/planText.ts'

/** The exit codes of `--plan`, as of `plan`. */
const exitCodes = { nothingToDo: 0, changes: 2 } as const

/** `import KIND FILE`: takes over what another product has into the data of DATA_DIR. @returns the exit code */
export async function importCommand(
  kind: string,
  path: string,
  context: CommandContext,
  { plan, apply, settings }: CommandOptions,
): Promise<number> {
  const { log } = context
  if (!isKind(kind)) throw new StartError(`KIND is one of ${Object.keys(importKinds).join(', ')}, and not ${kind}.`)
  if (Boolean(plan) === Boolean(apply)) throw new StartError('Say --plan to look at it, or --apply to do it.')
  const file = findFile(kind, path, typeof settings === 'string' ? settings : undefined)
  const data = await read(file)
  const { app, person, audit, close } = await openApp(context)
  try {
    const { shown } = await app.imports.plan(data, person, '').catch(asStartError)
    log.info(importPlanText(shown))
    if (shown.changes.length === 0) return exitCodes.nothingToDo
    if (plan) return exitCodes.changes
    const order = { data, file, digest: shown.digest, name: basename(path), address: '', judge: () => {} }
    const { id, created, updated } = await app.imports.apply({ ...order, person }).catch(asStartError)
    audit.write({ action: 'import.apply', target: `import ${id}`, detail: { created, updated } })
    log.info('Imported. It can be undone in the console: Settings, Import.')
    return 0
  } finally {
    await close()
  }
}

const isKind = (kind: string): kind is ImportKind => kind in importKinds

function asStartError(error: unknown): never {
  throw error instanceof ApiError ? new StartError(`${error.message}\nNothing was changed.`) : error
}

async function read(file: ImportFile): Promise<ImportData> {
  try {
    return await readImportFile(file)
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    throw new StartError(`${file.path}: ${refusalText(error.code, error.args)}\nNothing was changed.`)
  }
}

/** @param path of the database, or of the folder that it is in @throws StartError */
function findFile(kind: ImportKind, path: string, settingsPath: string | undefined): ImportFile {
  const product = importKinds[kind]
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const database = isFolder ? join(path, product.file) : path
  const found = statSync(database, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new StartError(`${database} is not there, or no file.`)
  if (found.size > maxImportBytes) throw new StartError(`${database} is larger than 2 GiB.`)
  const beside = join(dirname(database), 'config.yaml')
  const own = settingsPath ?? (product.hasSettingsFile && existsSync(beside) ? beside : undefined)
  return { kind, path: database, settings: own === undefined ? '' : readText(own) }
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length <= maxSettingsLength) return text
  } catch (error) {
    throw new StartError(`${path} cannot be read.`, { cause: error })
  }
  throw new StartError(`${path} is too large for a settings file.`)
}

/** Lines of what does not come along. */
const maxSkipped = 200

function importPlanText({ product, changes, unchanged, skipped }: ImportPlanReply): string {
  const lines = skipped.slice(0, maxSkipped).map(({ entity, name, code, args }) => {
    return `! ${entity} "${escapeUnseen(name)}": ${escapeUnseen(skipText(code, args))}`
  })
  const more = skipped.length > maxSkipped ? [`and ${skipped.length - maxSkipped} more`] : []
  const plan = { changes, unchanged, unlisted: [], problems: [], warnings: [], variables: [] }
  return [`From ${product}:`, planText(plan), ...lines, ...more].join('\n')
}
