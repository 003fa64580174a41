// React-admin's own CSV exporter is switched off in every list (`exporter={false}`): lists export by
// src/resources/engine/exportRows.ts. Its converter would still travel with each first load.
module.exports = () => {
  throw new Error("React-admin's exporter is not part of this console.")
}
