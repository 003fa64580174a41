import type { Document, YAMLError } from 'yaml'
import type { Problem, ProblemArgs, ProblemCode } from './problem.ts'

/** Levels of lists and mappings in each other: a record has three, and its JSON some more. */
export const maxDepth = 100
/** Characters of the text that a problem shows. */
const maxShown = 20

/**
 * What is wrong with a text that is not YAML, in words of our own: the parser's are English sentences. They are kept only
 * for kinds of errors that are not known here. The first problem of a place is the cause of others there.
 * @param place turns an offset in the text into the position of the problem
 */
export function yamlProblems(
  text: string,
  { errors, warnings }: Pick<Document, 'errors' | 'warnings'>,
  place: (offset: number) => Problem['at'],
): Problem[] {
  const found = [...errors, ...warnings]
  const offsets = new Set<number>()
  const multiline = new Set<number>()
  for (const { code, pos } of found) if (code === 'MULTILINE_IMPLICIT_KEY') multiline.add(pos[0])
  return found.flatMap((error) => {
    const offset = error.pos[0]
    if (offsets.has(offset)) return []
    offsets.add(offset)
    const code = error.code === 'BLOCK_AS_IMPLICIT_KEY' && multiline.has(offset) ? 'bad_indent' : codeOf(error)
    return [{ code, args: argsOf(code, error, text), at: place(offset) }]
  })
}

function codeOf({ code, message }: YAMLError): ProblemCode {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'tab_indent'
    case 'BAD_INDENT':
      // The library has one code for lines that end too early, and for brackets without an end.
      return message.includes('end with a') ? 'not_closed' : 'bad_indent'
    case 'DUPLICATE_KEY':
      return 'duplicate_key'
    case 'BAD_SCALAR_START':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'needs_quotes'
    case 'MULTILINE_IMPLICIT_KEY':
      return 'colon_missing'
    case 'MISSING_CHAR':
      return missingIn(message)
    case 'UNEXPECTED_TOKEN':
    case 'BAD_DQ_ESCAPE':
    case 'BLOCK_IN_FLOW':
    case 'MULTIPLE_DOCS':
      return 'unexpected_text'
    case 'ALIAS_PROPS':
    case 'BAD_ALIAS':
    case 'BAD_PROP_ORDER':
    case 'BAD_COLLECTION_TYPE':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'TAG_RESOLVE_FAILED':
      return 'alias'
    // The parser goes into each level by a call of its own, and its words for the end of that mean nothing to people.
    case 'RESOURCE_EXHAUSTION':
      return 'too_deep'
    default:
      return 'syntax'
  }
}

/** What is missing is told by the words alone. */
function missingIn(message: string): ProblemCode {
  if (/Missing closing|end with a/.test(message)) return 'not_closed'
  if (message.includes('followed by map values')) return 'colon_missing'
  return message.includes('without - indicator') ? 'bad_indent' : 'unexpected_text'
}

function argsOf(code: ProblemCode, error: YAMLError, text: string): ProblemArgs {
  if (code === 'too_deep') return { max: maxDepth }
  if (code === 'syntax') return { reason: error.message }
  if (code !== 'unexpected_text') return {}
  const [from] = error.pos
  // A backslash and the letter after it.
  const length = error.code === 'BAD_DQ_ESCAPE' ? 2 : maxShown
  const line = text.slice(from, from + length).split(/\r?\n/, 1)[0] ?? ''
  return { found: line.trim() || '?' }
}
