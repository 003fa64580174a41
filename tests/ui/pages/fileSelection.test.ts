import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from '../../../src/custom/files/manage/useSelection.ts'

test.each([
  ['another folder', '/b'],
  ['the same folder', '/a'],
])('what is selected in %s while files are copied stays selected when that is done', (_, next) => {
  const { result, rerender } = renderHook(({ folder }) => useSelection(folder), { initialProps: { folder: '/a' } })
  act(() => result.current.toggle('copied'))
  const whenCopied = result.current.clear
  rerender({ folder: next })
  act(() => result.current.toggle('chosen later'))
  act(() => whenCopied())
  expect(result.current.has('chosen later')).toBe(true)
})

test('what was copied is no longer selected when nothing else was chosen', () => {
  const { result } = renderHook(() => useSelection('/a'))
  act(() => result.current.toggle('copied'))
  act(() => result.current.clear())
  expect(result.current.isEmpty).toBe(true)
})
