/**
 * A request that is answered with `{ "error": message }`. The message is the contract's text; most refusals
 * travel with HTTP 200, as real servers send them (CONTRACT section 2).
 */
export class Refusal extends Error {
  readonly status: number

  constructor(message: string, status = 200) {
    super(message)
    this.status = status
  }
}
