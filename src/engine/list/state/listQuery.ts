import { useSyncExternalStore } from 'react'
import type { SortPayload } from 'react-admin'
import { sizes } from '../../../components/theme/tokens.ts'
import { everyRow } from '../../../records/queryRows.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'

/** Which rows a list shows, in which order, and which page of them. */
export interface ListQuery {
  /** By field or filter name; `q` is the search. */
  filter: Values
  sort: SortPayload
  /** From 1. */
  page: number
  /** Rows per page, 1 to 100, or that of `everyRow`. */
  perPage: number
}

/** Rows per page when the address asks for a number that is not allowed. */
const defaultPageSize = 10
/** Stands for as many rows as fill the window, where a number of them is set. */
export const fittingSize = 0
/** In the place of a number, in the address. */
const allRows = 'all'
export const largestPageSize = 100

/**
 * Reads a list's query from an address. What is missing or not allowed there is replaced by a default.
 *
 * @param search the query of the address, as `?page=2&pageSize=20&sort=name&order=ASC&filter={"q":"web"}` (encoded)
 * @param defaults used where the address does not say
 * @param isWhole whether a page may have all rows
 */
export function readListQuery(
  search: string,
  defaults: Pick<ListQuery, 'sort' | 'perPage'>,
  isWhole = false,
): ListQuery {
  const parameters = new URLSearchParams(search)
  const field = parameters.get('sort')
  const page = parameters.get('page') ?? ''
  return {
    filter: readFilter(parameters.get('filter')),
    sort: field ? { field, order: parameters.get('order') === 'DESC' ? 'DESC' : 'ASC' } : defaults.sort,
    page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1,
    perPage: readPageSize(parameters.get('pageSize'), isWhole) ?? defaults.perPage,
  }
}

function readPageSize(text: string | null, isWhole: boolean): number | undefined {
  if (text === null) return undefined
  if (text === allRows) return isWhole ? everyRow.perPage : largestPageSize
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return size >= 1 && size <= largestPageSize ? size : defaultPageSize
}

function readFilter(text: string | null): ListQuery['filter'] {
  try {
    const filter: unknown = JSON.parse(text ?? '{}')
    return isObject(filter) ? { ...filter } : {}
  } catch {
    return {}
  }
}

/** The query of an address that shows a list filtered. */
export const filteredList = (filter: ListQuery['filter']): string => writeListQuery('', { filter })

/**
 * Writes changes of a list's query into an address. Other parameters stay; filters without a value are left out.
 *
 * @returns the query of the new address: empty, or with a question mark in front
 */
export function writeListQuery(search: string, { filter, sort, page, perPage }: Partial<ListQuery>): string {
  const parameters = new URLSearchParams(search)
  if (filter) {
    const active = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== '')
    if (active.length > 0) parameters.set('filter', JSON.stringify(Object.fromEntries(active)))
    else parameters.delete('filter')
  }
  if (sort) {
    parameters.set('sort', sort.field)
    parameters.set('order', sort.order)
  }
  if (page !== undefined) parameters.set('page', String(page))
  // As many as fill the window: the default.
  if (perPage === fittingSize) parameters.delete('pageSize')
  else if (perPage !== undefined) parameters.set('pageSize', perPage === everyRow.perPage ? allRows : String(perPage))
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** Pixels. What stands above and below the rows of a list: header, title, toolbar, the head of the table, page links. */
const around = 326
const rowHeight = { wide: 44, dense: 36 }
/** Pixels: a card with the space below it, and the least width of one with the space beside it. */
const cardSize = { height: 131, width: 328 }
/** Pixels at both sides of the cards. */
const margins = 40
const leastRows = 10
const mostRows = 100

/** How many rows, or cards, fill the window: the number on a page of whoever has chosen none. */
export const useFittingRows = (isCards: boolean, isDense: boolean): number =>
  useSyncExternalStore(subscribe, () => fittingRows(window.innerWidth, window.innerHeight, isCards, isDense))

/** @param width of the window, in pixels, as `height` */
export function fittingRows(width: number, height: number, isCards: boolean, isDense: boolean): number {
  const columns = isCards && width >= sizes.narrow ? Math.floor((width - margins) / cardSize.width) : 1
  const lineHeight = isCards ? cardSize.height : isDense ? rowHeight.dense : rowHeight.wide
  const lines = Math.max(Math.ceil(leastRows / columns), Math.floor((height - around) / lineHeight))
  return Math.min(mostRows, columns * lines)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
