/** Parts of a worker's scope that the types of pages lack. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
