import { configure } from '@testing-library/react'

// A message with the whole page hides the error; the timeout is long, because machines that run tests are busy.
configure({ asyncUtilTimeout: 60_000, getElementError: (message) => new Error(message ?? 'There is no such element.') })
