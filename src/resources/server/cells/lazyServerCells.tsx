import { lazyCell } from '../../lazyCells.tsx'

/** Parts of the list of servers that are loaded when they are first shown. */
export const LastHour = lazyCell(() => import('./LastHour.tsx'))
export const LastHourMetric = lazyCell(() => import('./LastHourMetric.tsx'))
