import { type Document, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { sameValue } from '../../schemas/define/sameValue.ts'
import { isObject, type Values } from '../../schemas/define/values.ts'
import { variablePattern } from './configuredFields.ts'

/**
 * A node with this value that has the comments and the form of the old one, as far as the value is the same.
 * @param secrets the ways to texts in the value that stay where they name a variable, `*` for each key
 */
export function mergeNode(
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
  const pairs = new Map(old.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]))
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
    const at = left.findIndex((node) => sameValue(node.toJS(document), entry))
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
