import { Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, YAMLSeq } from 'yaml'
import { isReadOnly } from '../../schemas/define/access.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { isObject, sameValue, type Values } from '../../schemas/define/values.ts'
import { configuredEntities } from './configuredEntities.ts'
import {
  byText,
  configuredFields,
  hasField,
  namesOf,
  type RecordsByEntity,
  type StoredRecord,
  secretWays,
  toFileValue,
  variablePattern,
} from './fileValues.ts'
import { scalarText } from './scalarText.ts'

const header = ` The configuration of a monitoring server. Look at what would change with "wheelhouse plan", then apply it.
 Names stand in place of ids. What is left out stays as it is. Secrets are never written:
 "kept" leaves one as it is, and \${NAME} takes it from the environment.`

/** Records that one name leads to. */
export interface SharedName {
  entity: string
  name: string
  ids: readonly number[]
}

/** The names that several records of an entity have, and records without one: a file could not tell them apart. */
export function sharedNames(stored: RecordsByEntity, entities = configuredEntities()): SharedName[] {
  return entities.flatMap(({ name: entity }) =>
    [...(stored.get(entity)?.byName ?? [])].flatMap(([name, records]) => {
      const isClear = name.trim() !== '' && records.length === 1
      return isClear ? [] : [{ entity, name, ids: records.map(({ id }) => id) }]
    }),
  )
}

/**
 * The configuration of a server as YAML: sorted by name, without ids and secrets.
 * @param existing the text of a file that is written over: its comments, its order of sections and the variables of its
 * secrets stay
 * @throws Error when `existing` is no YAML
 */
export function writeConfiguration(stored: RecordsByEntity, existing = '', entities = configuredEntities()): string {
  const document = parseDocument(existing)
  if (document.errors[0]) throw document.errors[0]
  const old = isMap<Node, Node | null>(document.contents) ? document.contents : undefined
  const target = old ? document : new Document({})
  if (!old) target.commentBefore = existing.trim() === '' ? header : document.commentBefore
  const root = target.contents as YAMLMap<Node, Node | null>
  const nameOf = namesOf(stored)
  const entityByName = new Map(entities.map((entity) => [entity.name, entity]))
  const pairs = new Map(root.items.map((pair) => [scalarText(pair.key), pair]))
  for (const entity of entities) {
    const records = stored.get(entity.name)
    if (!records) continue
    const written = records.all
      .filter((record) => !isReadOnly(record))
      .map((record) => fileRecord(entity, record))
      .sort((a, b) => byText(String(a[entity.nameField]), String(b[entity.nameField])))
    const pair = pairs.get(entity.name)
    if (pair) pair.value = sectionNode(entity, pair.value, written)
    else root.items.push(target.createPair(entity.name, sectionNode(entity, null, written)) as Pair<Node, Node | null>)
  }
  // A section that is no entity would be refused when the file is read.
  root.items = root.items.filter(({ key }) => entityByName.has(scalarText(key) ?? ''))
  return target.toString({ lineWidth: 0 })

  function fileRecord(entity: Entity, record: StoredRecord): Values {
    const fields = configuredFields(entity).filter((field) => hasField(field, record))
    const values = fields.flatMap((field) => {
      const value = toFileValue(field, record, nameOf)
      return value === undefined ? [] : [[field.name, value] as const]
    })
    return Object.fromEntries(values)
  }

  function sectionNode(entity: Entity, old: Node | null, records: readonly Values[]): Node {
    const seq = isSeq<Node>(old) ? old : new YAMLSeq<Node>(target.schema)
    const [first] = seq.items
    // A comment above the first record belongs to the list: records may be sorted in above it.
    if (first && seq.commentBefore) {
      first.commentBefore = seq.commentBefore
      seq.commentBefore = undefined
    }
    const byName = new Map(seq.items.map((item) => [nameIn(entity, item), item]))
    const secrets = configuredFields(entity).flatMap((field) => secretWays(field).map((way) => [field.name, ...way]))
    seq.flow = records.length === 0
    seq.items = records.map((record) =>
      mergeNode(target, byName.get(String(record[entity.nameField])), record, secrets),
    )
    if (seq.items[0]) seq.items[0].spaceBefore = false
    return seq
  }
}

const nameIn = ({ nameField }: Entity, node: Node) => (isMap(node) ? scalarText(node.get(nameField, true)) : undefined)

/**
 * A node with this value that has the comments and the form of the old one, as far as the value is the same.
 * @param secrets the ways to texts in the value that stay where they name a variable, `*` for each key
 */
function mergeNode(
  document: Document,
  old: Node | null | undefined,
  value: unknown,
  secrets: readonly (readonly string[])[] = [],
): Node {
  if (isMap<Node, Node | null>(old) && isObject(value)) return mergeMap(document, old, value, secrets)
  if (isSeq<Node>(old) && Array.isArray(value)) return mergeSeq(document, old, value)
  if (isScalar(old) && old.value === value) return old
  const node = document.createNode(value) as Node
  if (old) {
    node.commentBefore = old.commentBefore
    node.comment = old.comment
    node.spaceBefore = old.spaceBefore
  }
  return node
}

function mergeMap(
  document: Document,
  old: YAMLMap<Node, Node | null>,
  value: Values,
  secrets: readonly (readonly string[])[],
): Node {
  const pairs = new Map(old.items.map((pair) => [scalarText(pair.key), pair]))
  old.items = Object.entries(value).map(([key, part]) => {
    const pair = pairs.get(key)
    if (!pair) return document.createPair(key, part) as Pair<Node, Node | null>
    const namesVariable = isScalar(pair.value) && String(pair.value.value).search(variablePattern) >= 0
    const within = secrets.filter(([first]) => first === key || first === '*').map(([, ...rest]) => rest)
    const isSecret = within.some(({ length }) => length === 0)
    if (!isSecret || !namesVariable) pair.value = mergeNode(document, pair.value, part, within)
    return pair
  })
  return old
}

/** Entries are found by their value, else by their place. */
function mergeSeq(document: Document, old: YAMLSeq<Node>, value: readonly unknown[]): Node {
  const [first] = old.items
  if (first && old.commentBefore) {
    first.commentBefore = old.commentBefore
    old.commentBefore = undefined
  }
  const left = [...old.items]
  const same = value.map((entry) => {
    const at = left.findIndex((node) => scalarText(node) === entry || sameValue(node.toJS(document), entry))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  const isStructured = (entry: unknown) => entry !== null && typeof entry === 'object'
  old.items = value.map((entry, at) => {
    const byPlace = old.items[at]
    const node = same[at] ?? (isStructured(entry) && byPlace && left.includes(byPlace) ? byPlace : undefined)
    return mergeNode(document, node, entry)
  })
  if (old.items.length === 0) old.flow = true
  else if (old.flow && left.length === 0 && same.every((node) => node === undefined)) old.flow = false
  return old
}
