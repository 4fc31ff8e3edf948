/** Files that are part of the program as they are: the build puts their text into it. */
declare module '*?raw' {
  const text: string
  export default text
}
