/**
 * The request is answered with `{ "error": message }`. The message is the contract's text; most errors travel with
 * HTTP 200, as real servers send them (docs/contract/CONTRACT.md#2-envelope-and-status-codes).
 */
export class ApiError extends Error {
  readonly status: number

  constructor(message: string, status = 200) {
    super(message)
    this.status = status
  }
}
