import type { Inspector } from '../../inspect/inspector.ts'
import type { Order } from '../../inspect/orders.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { CallContext } from './tool.ts'
import { badArgument, ToolFailure } from './toolFailure.ts'

/** Has a server do something. @throws ToolFailure with the words of the machine */
export const actOn =
  (inspector: Inspector) =>
  async ({ row, caller: { person } }: CallContext & { row: { id: number } }, order: Order) => {
    try {
      await inspector.act(person, row.id, order)
      return { done: true }
    } catch (error) {
      if (error instanceof ApiError) throw new ToolFailure('agent_error', error.message)
      throw error
    }
  }

/** What is wrong with an order is wrong with the arguments. */
export function ordered<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ApiError ? badArgument(error.message) : error
  }
}
