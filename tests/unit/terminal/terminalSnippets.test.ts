import { describe, expect, it } from 'vitest'
import {
  exportSnippets,
  fillSnippet,
  freeName,
  mergeSnippets,
  parametersOf,
  readSnippets,
  SnippetProblem,
} from '../../../src/custom/terminal/panel/snippets.ts'

const disk = { name: 'Disk', text: 'df -h\n' }
const load = { name: 'Load', text: 'uptime' }

/** What is wrong with a file: key and arguments. */
function problemOf(file: string): unknown {
  try {
    return readSnippets(file)
  } catch (problem) {
    return problem instanceof SnippetProblem ? { key: problem.key, ...problem.args } : problem
  }
}

describe('Snippets', () => {
  it('come back from a file as they went into it', () => {
    expect(readSnippets(exportSnippets([disk, load]))).toEqual([disk, load])
  })

  it('are read from a bare list as well, and from a file with a mark of its encoding', () => {
    expect(readSnippets(`\ufeff${JSON.stringify([{ ...disk, more: 1 }])}`)).toEqual([disk])
  })

  it.each([
    ['{broken', { key: 'not_json' }],
    ['null', { key: 'no_list' }],
    ['{"snippets": "no"}', { key: 'no_list' }],
    ['[{"name": "a", "text": "b"}, {"text": "c"}]', { key: 'no_name', number: 2 }],
    ['[null]', { key: 'no_name', number: 1 }],
    ['[{"name": "a", "text": 3}]', { key: 'no_text', number: 1, name: 'a' }],
  ])('that cannot be read are refused with the place: %s', (file, problem) => {
    expect(problemOf(file)).toEqual(problem)
  })

  it('that are there already come once; another text of the same name is kept beside it', () => {
    const other = { name: 'Disk', text: 'df -i' }
    const merged = mergeSnippets([disk], [disk, other, load])
    expect(merged).toEqual([disk, { name: 'Disk (2)', text: 'df -i' }, load])
    expect(mergeSnippets(merged, [disk, other, load])).toEqual(merged)
  })

  it('never share a name', () => {
    expect(freeName('Disk', [disk, { name: 'Disk (2)', text: '' }])).toBe('Disk (3)')
    expect(freeName('Load', [disk])).toBe('Load')
  })
})

describe('The parameters of a snippet', () => {
  it('are asked for once each, in their order, and nothing else in braces is one', () => {
    expect(parametersOf('mv {{from}} {{ to }} # {{from}} {{größe}}')).toEqual(['from', 'to', 'größe'])
    expect(parametersOf("docker ps --format '{{.Names}} {{json .}}' $x {y}")).toEqual([])
  })

  it('are put in place as they were typed', () => {
    expect(fillSnippet('mv {{from}} {{ to }} {{other}}', { from: '$&', to: "'a b'" })).toBe("mv $& 'a b' {{other}}")
  })
})
