import { consolePath } from '../../src/schemas/consolePath.ts'

/**
 * The address of a page of the console for a message; '' where it is not known by which address people come.
 * @param publicUrl the address people use
 * @param page below the console: 'incident/7/overview'
 */
export const consoleLink = (publicUrl: URL | undefined, page: string): string =>
  publicUrl ? `${publicUrl.origin}${consolePath}/${page}` : ''
