/** How the vectors of search are kept and compared, with every storage: none of ours declares that it ranks them itself. */
export const howVectorsAreKept = "vectors are kept in it as raw 32-bit floats and searched exactly, in memory";
