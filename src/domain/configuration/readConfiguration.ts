import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Entity } from '../../schemas/define/entity.ts'
import { configuredEntities } from './configuredEntities.ts'
import { fileTypeProblem, textProblem } from './fileTypeProblem.ts'
import { configuredFields } from './fileValues.ts'
import type { Position, Problem, ProblemArgs, ProblemCode } from './problem.ts'
import { scalarText, textWays } from './scalarText.ts'
import { maxDepth, yamlProblems } from './yamlProblem.ts'

/** Bytes of a file: some 30,000 records. */
export const maxFileBytes = 4 * 1024 * 1024

/** Nobody reads more at once. */
const maxProblems = 100

/** The key by which a record says how it was called before. */
export const renamedFromKey = 'renamed_from'

/** A value of the file, and where it stands. */
export interface FileField {
  value: unknown
  at: Position
  /** Where the entries of a list stand, by their text. */
  entries: ReadonlyMap<string, Position>
}

export interface FileRecord {
  name: string
  at: Position
  /** What it was called before, where it has a new name. */
  renamedFrom?: string
  /** What the file says of it, the name included. */
  fields: ReadonlyMap<string, FileField>
}

/** What a file says, by entity. Entities that it does not name are missing. */
export interface Configuration {
  sections: ReadonlyMap<Entity, readonly FileRecord[]>
  problems: readonly Problem[]
}

type Report = (code: ProblemCode, args?: ProblemArgs, at?: Position) => void

/**
 * Reads a configuration file. Nothing of it is compared with a server yet: names may lead nowhere.
 * @param text YAML 1.2 without anchors and tags
 */
export function readConfiguration(text: string, entities: readonly Entity[] = configuredEntities()): Configuration {
  const problems: Problem[] = []
  const report: Report = (code, args = {}, at) => {
    if (problems.length < maxProblems) problems.push({ code, args, ...(at && { at }) })
  }
  const sections = new Map<Entity, readonly FileRecord[]>()
  if (new TextEncoder().encode(text).length > maxFileBytes) {
    report('too_large', { max: maxFileBytes / 1024 / 1024 })
    return { sections, problems }
  }
  const lineCounter = new LineCounter()
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset)
    return { line, column: col }
  }
  const document = parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2' })
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    report('too_deep', { max: maxDepth })
    return { sections, problems }
  }
  for (const { code, args, at } of yamlProblems(text, document, positionAt)) report(code, args, at)
  const root = document.contents
  if (problems.length > 0 || root === null || (isScalar(root) && root.value === null)) return { sections, problems }
  const reader = createReader(report, positionAt)
  for (const { key, at, node } of reader.pairs(root)) {
    const entity = entities.find(({ name }) => name === key)
    if (entity) sections.set(entity, reader.records(entity, node, at))
    else report('unknown_section', { section: key, expected: entities.map(({ name }) => name).join(', ') }, at)
  }
  return { sections, problems }
}

interface NamedNode {
  key: string
  at: Position
  node: Node | null
}

function createReader(report: Report, positionAt: (offset: number) => Position) {
  const placeOf = (node: Node): Position => positionAt(node.range?.[0] ?? 0)

  /** The keys and values of a mapping. */
  function pairs(node: Node | null): NamedNode[] {
    if (!isMap<Node, Node | null>(node)) {
      report('not_mapping', {}, node ? placeOf(node) : undefined)
      return []
    }
    return node.items.flatMap(({ key, value }) => {
      const text = scalarText(key)
      if (text !== undefined) return [{ key: text, at: placeOf(key), node: value }]
      report('not_mapping', {}, placeOf(key))
      return []
    })
  }

  function records(entity: Entity, node: Node | null, at: Position): FileRecord[] {
    if (node === null || (isScalar(node) && node.value === null)) return []
    if (!isSeq<Node>(node)) {
      report('not_list', { section: entity.name }, at)
      return []
    }
    const byName = new Map<string, FileRecord>()
    for (const item of node.items) {
      const record = readRecord(entity, item)
      const first = record && byName.get(record.name)
      if (first) {
        report('duplicate_name', { section: entity.name, name: record.name, first: first.at.line }, record.at)
      } else if (record) byName.set(record.name, record)
    }
    return [...byName.values()]
  }

  function readRecord(entity: Entity, node: Node): FileRecord | undefined {
    const fields = new Map<string, FileField>()
    const described = configuredFields(entity)
    let renamedFrom: string | undefined
    let hasName = false
    for (const { key, at, node: value } of pairs(node)) {
      const field = described.find(({ name }) => name === key)
      const isRenamedFrom = key === renamedFromKey
      if (key === entity.nameField) hasName = true
      if (!field && !isRenamedFrom) {
        const expected = described.map(({ name }) => name).join(', ')
        report('unknown_field', { section: entity.name, field: key, expected }, at)
        continue
      }
      const isName = isRenamedFrom || key === entity.nameField
      const ways = isName ? [[]] : field ? textWays(field) : []
      const read: FileField = {
        value: plain(value, ways, isName),
        at: value ? placeOf(value) : at,
        entries: entriesOf(value),
      }
      const problem = field ? fileTypeProblem(field, read.value) : textProblem(key, read.value)
      if (problem) report(problem.code, problem.args, read.at)
      else if (field) fields.set(key, read)
      else renamedFrom = String(read.value)
    }
    const name = String(fields.get(entity.nameField)?.value ?? '').trim()
    const at = placeOf(node)
    if (name !== '') return { name, at, fields, ...(renamedFrom !== undefined && { renamedFrom }) }
    if (isMap(node) && (!hasName || fields.has(entity.nameField))) report('name_missing', {}, at)
    return undefined
  }

  function entriesOf(node: Node | null): ReadonlyMap<string, Position> {
    const items = isSeq<Node>(node) ? node.items : []
    return new Map(items.map((item) => [scalarText(item) ?? '', placeOf(item)]))
  }

  /**
   * The value of a node as JSON has it.
   * @param ways to what are texts in it; see `textWays`
   * @param isNullText whether `null` is such a text as well, because nothing else can be meant
   */
  function plain(node: Node | null, ways: readonly (readonly string[])[], isNullText = false, depth = 0): unknown {
    if (node === null) return null
    if (depth > maxDepth) {
      report('too_deep', { max: maxDepth }, placeOf(node))
      return null
    }
    if (isAlias(node) || node.tag !== undefined) {
      report('alias', {}, placeOf(node))
      return null
    }
    const isText = ways.some(({ length }) => length === 0)
    const waysBelow = (key: string) =>
      ways.filter(([first]) => first === key || first === '*').map(([, ...rest]) => rest)
    if (isSeq<Node>(node)) {
      const below = isText ? [[], ...waysBelow('*')] : waysBelow('*')
      return node.items.map((item) => plain(item, below, isText, depth + 1))
    }
    if (isMap(node)) {
      const entries = pairs(node)
      return Object.fromEntries(
        entries.map(({ key, node: value }) => [key, plain(value, waysBelow(key), false, depth + 1)]),
      )
    }
    if (!isScalar(node)) return null
    if (!isText || (node.value === null && !isNullText)) return node.value
    return scalarText(node) ?? null
  }

  return { pairs, records }
}
