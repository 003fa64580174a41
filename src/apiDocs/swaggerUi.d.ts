/** The viewer as one script without imports; its package has types of the server's half only. */
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  export default function SwaggerUIBundle(options: Record<string, unknown>): unknown
}
