import { expect, it } from 'vitest'
import { validationWords } from '../../../src/schemas/define/issueText.ts'
import { english } from '../../support/console/texts.ts'

it('The API and the command line say what is wrong with a value in the words of the form', () => {
  const texts = [...english].flatMap(([key, text]) => {
    const [area, name] = key.split('.')
    return area === 'validation' && name ? [[name, text] as const] : []
  })
  expect(validationWords).toEqual(Object.fromEntries(texts))
})
