/** Migrations are part of the program: the build puts their text into it. */
declare module '*.sql' {
  const text: string
  export default text
}
