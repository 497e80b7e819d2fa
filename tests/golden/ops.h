/* Golden values of every operation, made by make_ops.py with PyTorch. Not for editing. */
/* clang-format off */
static tg_tensor golden_build(int number, const tg_tensor *x) {
    switch (number) {
    case 0: return tg_add(x[0], x[1]);
    case 1: return tg_add(x[0], x[1]);
    case 2: return tg_add(x[0], x[1]);
    case 3: return tg_add(x[0], x[1]);
    case 4: return tg_add(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 5: return tg_add(x[0], x[0]);
    case 6: return tg_sub(x[0], x[1]);
    case 7: return tg_sub(x[0], x[1]);
    case 8: return tg_sub(x[0], x[1]);
    case 9: return tg_sub(x[0], x[1]);
    case 10: return tg_sub(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 11: return tg_sub(x[0], x[0]);
    case 12: return tg_mul(x[0], x[1]);
    case 13: return tg_mul(x[0], x[1]);
    case 14: return tg_mul(x[0], x[1]);
    case 15: return tg_mul(x[0], x[1]);
    case 16: return tg_mul(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 17: return tg_mul(x[0], x[0]);
    case 18: return tg_div(x[0], x[1]);
    case 19: return tg_div(x[0], x[1]);
    case 20: return tg_div(x[0], x[1]);
    case 21: return tg_div(x[0], x[1]);
    case 22: return tg_div(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 23: return tg_div(x[0], x[0]);
    case 24: return tg_div(x[0], x[1]);
    case 25: return tg_maximum(x[0], x[1]);
    case 26: return tg_maximum(x[0], x[1]);
    case 27: return tg_maximum(x[0], x[1]);
    case 28: return tg_maximum(x[0], x[1]);
    case 29: return tg_maximum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 30: return tg_maximum(x[0], x[0]);
    case 31: return tg_maximum(x[0], x[1]);
    case 32: return tg_minimum(x[0], x[1]);
    case 33: return tg_minimum(x[0], x[1]);
    case 34: return tg_minimum(x[0], x[1]);
    case 35: return tg_minimum(x[0], x[1]);
    case 36: return tg_minimum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 37: return tg_minimum(x[0], x[0]);
    case 38: return tg_minimum(x[0], x[1]);
    case 39: return tg_neg(x[0]);
    case 40: return tg_neg(tg_transpose(x[0], 0, 1));
    case 41: return tg_neg(x[0]);
    case 42: return tg_neg(x[0]);
    case 43: return tg_neg(x[0]);
    case 44: return tg_exp(x[0]);
    case 45: return tg_exp(tg_transpose(x[0], 0, 1));
    case 46: return tg_exp(x[0]);
    case 47: return tg_exp(x[0]);
    case 48: return tg_exp(x[0]);
    case 49: return tg_log(x[0]);
    case 50: return tg_log(x[0]);
    case 51: return tg_sqrt(x[0]);
    case 52: return tg_sqrt(x[0]);
    case 53: return tg_square(x[0]);
    case 54: return tg_square(tg_transpose(x[0], 0, 1));
    case 55: return tg_square(x[0]);
    case 56: return tg_square(x[0]);
    case 57: return tg_square(x[0]);
    case 58: return tg_abs(x[0]);
    case 59: return tg_abs(tg_transpose(x[0], 0, 1));
    case 60: return tg_abs(x[0]);
    case 61: return tg_abs(x[0]);
    case 62: return tg_abs(x[0]);
    case 63: return tg_tanh(x[0]);
    case 64: return tg_tanh(tg_transpose(x[0], 0, 1));
    case 65: return tg_tanh(x[0]);
    case 66: return tg_tanh(x[0]);
    case 67: return tg_tanh(x[0]);
    case 68: return tg_sigmoid(x[0]);
    case 69: return tg_sigmoid(tg_transpose(x[0], 0, 1));
    case 70: return tg_sigmoid(x[0]);
    case 71: return tg_sigmoid(x[0]);
    case 72: return tg_sigmoid(x[0]);
    case 73: return tg_relu(x[0]);
    case 74: return tg_relu(tg_transpose(x[0], 0, 1));
    case 75: return tg_relu(x[0]);
    case 76: return tg_relu(x[0]);
    case 77: return tg_relu(x[0]);
    case 78: return tg_silu(x[0]);
    case 79: return tg_silu(tg_transpose(x[0], 0, 1));
    case 80: return tg_silu(x[0]);
    case 81: return tg_silu(x[0]);
    case 82: return tg_silu(x[0]);
    case 83: return tg_gelu(x[0]);
    case 84: return tg_gelu(tg_transpose(x[0], 0, 1));
    case 85: return tg_gelu(x[0]);
    case 86: return tg_gelu(x[0]);
    case 87: return tg_gelu(x[0]);
    case 88: return tg_gelu_tanh(x[0]);
    case 89: return tg_gelu_tanh(tg_transpose(x[0], 0, 1));
    case 90: return tg_gelu_tanh(x[0]);
    case 91: return tg_gelu_tanh(x[0]);
    case 92: return tg_gelu_tanh(x[0]);
    case 93: return tg_pow(x[0], 2);
    case 94: return tg_pow(x[0], 3);
    case 95: return tg_pow(x[0], 1);
    case 96: return tg_pow(x[0], 0);
    case 97: return tg_pow(x[0], -1);
    case 98: return tg_pow(x[0], -2);
    case 99: return tg_pow(x[0], 0.5);
    case 100: return tg_pow(x[0], 2.5);
    case 101: return tg_pow(x[0], -0.5);
    case 102: return tg_pow(x[0], 0);
    case 103: return tg_pow(x[0], 1);
    case 104: return tg_pow(x[0], 2);
    case 105: return tg_pow(x[0], 3);
    case 106: return tg_clamp(x[0], -1, 0.5);
    case 107: return tg_clamp(x[0], 0.3, (double)INFINITY);
    case 108: return tg_add_scalar(x[0], 1.5);
    case 109: return tg_add_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 110: return tg_sub_scalar(x[0], 1.5);
    case 111: return tg_sub_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 112: return tg_rsub_scalar(1.5, x[0]);
    case 113: return tg_rsub_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 114: return tg_mul_scalar(x[0], -1.5);
    case 115: return tg_mul_scalar(tg_transpose(x[0], 0, 1), -1.5);
    case 116: return tg_div_scalar(x[0], 3);
    case 117: return tg_div_scalar(tg_transpose(x[0], 0, 1), 3);
    case 118: return tg_rdiv_scalar(1.5, x[0]);
    case 119: return tg_rdiv_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 120: return tg_eq(x[0], x[1]);
    case 121: return tg_lt(x[0], x[1]);
    case 122: return tg_gt(x[0], x[1]);
    case 123: return tg_eq(x[0], x[1]);
    case 124: return tg_logical_not(x[0]);
    case 125: return tg_to_bool(x[0]);
    case 126: return tg_to_bool(x[0]);
    case 127: return tg_to_float(x[0]);
    case 128: return tg_to_float(x[0]);
    case 129: return tg_where(x[0], x[1], x[2]);
    case 130: return tg_where(x[0], x[1], x[2]);
    case 131: return tg_masked_fill(x[0], x[1], -2.5);
    case 132: return tg_masked_fill(tg_transpose(x[0], 0, 1), x[1], -(double)INFINITY);
    case 133: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 134: return tg_sum(x[0], TG_ALL_DIMS, true);
    case 135: return tg_sum(x[0], TG_DIMS(-1), false);
    case 136: return tg_sum(x[0], TG_DIMS(0, -1), false);
    case 137: return tg_sum(x[0], TG_DIMS(-2), true);
    case 138: return tg_sum(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 139: return tg_sum(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 140: return tg_sum(x[0], TG_DIMS(0), false);
    case 141: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 142: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 143: return tg_mean(x[0], TG_ALL_DIMS, true);
    case 144: return tg_mean(x[0], TG_DIMS(-1), false);
    case 145: return tg_mean(x[0], TG_DIMS(0, -1), false);
    case 146: return tg_mean(x[0], TG_DIMS(-2), true);
    case 147: return tg_mean(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 148: return tg_mean(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 149: return tg_mean(x[0], TG_DIMS(0), false);
    case 150: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 151: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 152: return tg_amax(x[0], TG_ALL_DIMS, true);
    case 153: return tg_amax(x[0], TG_DIMS(-1), false);
    case 154: return tg_amax(x[0], TG_DIMS(0, -1), false);
    case 155: return tg_amax(x[0], TG_DIMS(-2), true);
    case 156: return tg_amax(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 157: return tg_amax(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 158: return tg_amax(x[0], TG_DIMS(0), false);
    case 159: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 160: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 161: return tg_amin(x[0], TG_ALL_DIMS, true);
    case 162: return tg_amin(x[0], TG_DIMS(-1), false);
    case 163: return tg_amin(x[0], TG_DIMS(0, -1), false);
    case 164: return tg_amin(x[0], TG_DIMS(-2), true);
    case 165: return tg_amin(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 166: return tg_amin(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 167: return tg_amin(x[0], TG_DIMS(0), false);
    case 168: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 169: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 170: return tg_logsumexp(x[0], TG_ALL_DIMS, true);
    case 171: return tg_logsumexp(x[0], TG_DIMS(-1), false);
    case 172: return tg_logsumexp(x[0], TG_DIMS(0, -1), false);
    case 173: return tg_logsumexp(x[0], TG_DIMS(-2), true);
    case 174: return tg_logsumexp(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 175: return tg_logsumexp(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 176: return tg_logsumexp(x[0], TG_DIMS(0), false);
    case 177: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 178: return tg_sum(x[0], TG_DIMS(1), false);
    case 179: return tg_mean(x[0], TG_DIMS(1), false);
    case 180: return tg_amax(x[0], TG_DIMS(1), false);
    case 181: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 182: return tg_amin(x[0], TG_DIMS(1), false);
    case 183: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 184: return tg_logsumexp(x[0], TG_DIMS(1), false);
    case 185: return tg_var(x[0], TG_DIMS(1), 0, false);
    case 186: return tg_var(x[0], TG_DIMS(1), 1, false);
    case 187: return tg_var(x[0], TG_DIMS(1), 1.5, false);
    case 188: return tg_var(x[0], TG_DIMS(0, -1), 1, true);
    case 189: return tg_var(tg_transpose(x[0], 0, 1), TG_ALL_DIMS, 0, false);
    case 190: return tg_argmax(x[0], 0, false);
    case 191: return tg_argmax(x[0], -1, true);
    case 192: return tg_argmax(x[0], 1, false);
    case 193: return tg_reshape(x[0], TG_SHAPE(3, -1));
    case 194: return tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(-1));
    case 195: return tg_mul(tg_reshape(tg_slice(x[0], 0, 1, 3, 1), TG_SHAPE(4)), x[1]);
    case 196: return tg_mul(tg_transpose(x[0], -1, 0), x[1]);
    case 197: return tg_mul(tg_permute(x[0], TG_DIMS(2, 0, -2)), x[1]);
    case 198: return tg_slice(x[0], 1, 1, 6, 2);
    case 199: return tg_slice(x[0], -2, -2, 99, 1);
    case 200: return tg_slice(x[0], 0, 3, 1, 1);
    case 201: return tg_mul(tg_slice(x[0], 0, 0, 3, 1), tg_slice(x[0], 0, 1, 4, 1));
    case 202: return tg_select(x[0], 1, -1);
    case 203: return tg_mul(tg_select(x[0], 0, 1), tg_select(x[0], 0, 0));
    case 204: return tg_squeeze(x[0], -2);
    case 205: return tg_mul(tg_squeeze(x[0], 0), x[1]);
    case 206: return tg_mul(tg_unsqueeze(x[0], -1), x[1]);
    case 207: return tg_mul(tg_expand(x[0], TG_SHAPE(2, -1, 3)), x[1]);
    case 208: return tg_expand(x[0], TG_SHAPE(0, 3));
    case 209: return tg_contiguous(tg_transpose(x[0], 0, 1));
    case 210: return tg_mul(tg_clone(x[0]), x[0]);
    case 211: return tg_mul(x[0], tg_detach(x[0]));
    case 212: return tg_cat((tg_tensor[]){x[0], x[1], x[2]}, 3, 1);
    case 213: return tg_cat((tg_tensor[]){tg_transpose(x[0], 0, 1), x[1], x[1]}, 3, -2);
    case 214: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, -1);
    case 215: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, 0);
    case 216: return tg_mul(part(x[0], 2, 1, 0, 3), part(x[0], 2, 1, 1, 3));
    case 217: return part(x[0], 2, -1, 2, 3);
    case 218: return tg_tril(x[0], 0);
    case 219: return tg_tril(x[0], 1);
    case 220: return tg_tril(x[0], -1);
    case 221: return tg_tril(tg_transpose(x[0], 0, 1), 0);
    case 222: return tg_triu(x[0], 0);
    case 223: return tg_triu(x[0], 1);
    case 224: return tg_triu(x[0], -1);
    case 225: return tg_triu(tg_transpose(x[0], 0, 1), 0);
    case 226: return tg_matmul(x[0], x[1]);
    case 227: return tg_matmul(x[0], x[1]);
    case 228: return tg_matmul(x[0], x[1]);
    case 229: return tg_matmul(x[0], x[1]);
    case 230: return tg_matmul(x[0], x[1]);
    case 231: return tg_matmul(x[0], x[1]);
    case 232: return tg_matmul(x[0], x[1]);
    case 233: return tg_matmul(x[0], x[1]);
    case 234: return tg_matmul(x[0], x[1]);
    case 235: return tg_matmul(tg_transpose(x[0], 1, 2), tg_transpose(x[1], -1, -2));
    case 236: return tg_matmul(tg_slice(x[0], 1, 0, 4, 2), tg_slice(x[1], 0, 1, 3, 1));
    case 237: return tg_matmul(x[0], tg_transpose(x[0], 0, 1));
    case 238: return tg_linear(x[0], x[1], x[2]);
    case 239: return tg_linear(x[0], x[1], TG_NULL);
    case 240: return tg_linear(x[0], x[1], x[2]);
    case 241: return tg_linear(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2]);
    case 242: return tg_linear(x[0], x[1], x[2]);
    case 243: return tg_softmax(x[0], -1);
    case 244: return tg_softmax(x[0], 0);
    case 245: return tg_softmax(x[0], 1);
    case 246: return tg_softmax(x[0], 0);
    case 247: return tg_softmax(x[0], 1);
    case 248: return tg_softmax(tg_transpose(x[0], 0, 1), 1);
    case 249: return tg_softmax(x[0], 1);
    case 250: return tg_log_softmax(x[0], -1);
    case 251: return tg_log_softmax(x[0], 0);
    case 252: return tg_log_softmax(x[0], 1);
    case 253: return tg_log_softmax(x[0], 0);
    case 254: return tg_log_softmax(x[0], 1);
    case 255: return tg_log_softmax(tg_transpose(x[0], 0, 1), 1);
    case 256: return tg_log_softmax(x[0], 1);
    case 257: return tg_softmax(x[0], 1);
    case 258: return tg_log_softmax(tg_masked_fill(x[0], x[1], -(double)INFINITY), 1);
    case 259: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 260: return tg_layer_norm(x[0], TG_NULL, TG_NULL, 0.1);
    case 261: return tg_layer_norm(tg_transpose(x[0], 0, 1), x[1], TG_NULL, 1e-5);
    case 262: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 263: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    case 264: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0);
    case 265: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0.25);
    case 266: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 267: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 268: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0.5);
    case 269: return tg_scaled_dot_product_attention(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2], TG_NULL, false, 0, 0);
    case 270: return tg_embedding(x[0], x[1]);
    case 271: return tg_embedding(x[0], x[1]);
    case 272: return tg_embedding(tg_transpose(x[0], 0, 1), x[1]);
    case 273: return tg_index_select(x[0], 0, x[1]);
    case 274: return tg_index_select(x[0], -1, x[1]);
    case 275: return tg_index_select(x[0], 1, x[1]);
    case 276: return tg_gather(x[0], 1, x[1]);
    case 277: return tg_gather(x[0], -2, x[1]);
    case 278: return tg_gather(tg_transpose(x[0], 0, 1), 1, x[1]);
    case 279: return dropped(x[0], 0.5);
    case 280: return dropped(x[0], 0.25);
    case 281: return dropped(x[0], 1);
    case 282: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 283: return tg_cross_entropy(x[0], x[1], 2, TG_MEAN);
    case 284: return tg_mse_loss(x[0], x[1], TG_MEAN);
    case 285: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 286: return tg_cross_entropy(x[0], x[1], 2, TG_SUM);
    case 287: return tg_mse_loss(x[0], x[1], TG_SUM);
    case 288: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_NONE);
    case 289: return tg_cross_entropy(x[0], x[1], 2, TG_NONE);
    case 290: return tg_mse_loss(x[0], x[1], TG_NONE);
    case 291: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 292: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 293: return tg_cross_entropy(tg_transpose(x[0], 0, 1), x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 294: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 295: return a_b_plus_sin_a(x[0], x[1]);
    case 296: return a_b_plus_sin_a(x[0], tg_slice(x[1], 0, 0, 8, 2));
    case 297: return tg_bias_gelu(x[0], x[1]);
    case 298: return tg_bias_gelu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 0, 0, 4, 2));
    case 299: return tg_bias_gelu(x[0], x[0]);
    case 300: return tg_sin(x[0]);
    case 301: return tg_sin(tg_transpose(x[0], 0, 1));
    case 302: return tg_sin(x[0]);
    case 303: return tg_sin(x[0]);
    case 304: return tg_sin(x[0]);
    case 305: return tg_cos(x[0]);
    case 306: return tg_cos(tg_transpose(x[0], 0, 1));
    case 307: return tg_cos(x[0]);
    case 308: return tg_cos(x[0]);
    case 309: return tg_cos(x[0]);
    case 310: return tg_erf(x[0]);
    case 311: return tg_erf(tg_transpose(x[0], 0, 1));
    case 312: return tg_erf(x[0]);
    case 313: return tg_erf(x[0]);
    case 314: return tg_erf(x[0]);
    case 315: return tg_expm1(x[0]);
    case 316: return tg_expm1(tg_transpose(x[0], 0, 1));
    case 317: return tg_expm1(x[0]);
    case 318: return tg_expm1(x[0]);
    case 319: return tg_expm1(x[0]);
    case 320: return tg_softplus(x[0]);
    case 321: return tg_softplus(tg_transpose(x[0], 0, 1));
    case 322: return tg_softplus(x[0]);
    case 323: return tg_softplus(x[0]);
    case 324: return tg_softplus(x[0]);
    case 325: return tg_log1p(x[0]);
    case 326: return tg_log1p(x[0]);
    case 327: return tg_rsqrt(x[0]);
    case 328: return tg_rsqrt(x[0]);
    case 329: return tg_leaky_relu(x[0], 0.125);
    case 330: return tg_leaky_relu(x[0], 0.01);
    case 331: return tg_elu(x[0], 1);
    case 332: return tg_elu(x[0], 1.5);
    case 333: return tg_pow_tensor(x[0], x[1]);
    case 334: return tg_pow_tensor(x[0], x[1]);
    case 335: return tg_pow_tensor(x[0], tg_detach(x[1]));
    case 336: return tg_pow_tensor(x[0], x[1]);
    case 337: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 338: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 339: return tg_eq(x[0], x[1]);
    case 340: return tg_eq(x[0], x[1]);
    case 341: return tg_ne(x[0], x[1]);
    case 342: return tg_ne(x[0], x[1]);
    case 343: return tg_lt(x[0], x[1]);
    case 344: return tg_lt(x[0], x[1]);
    case 345: return tg_le(x[0], x[1]);
    case 346: return tg_le(x[0], x[1]);
    case 347: return tg_gt(x[0], x[1]);
    case 348: return tg_gt(x[0], x[1]);
    case 349: return tg_ge(x[0], x[1]);
    case 350: return tg_ge(x[0], x[1]);
    case 351: return tg_isnan(x[0]);
    case 352: return tg_logical_and(x[0], x[1]);
    case 353: return tg_logical_or(x[0], x[1]);
    case 354: return tg_any(x[0], TG_DIMS(1), true);
    case 355: return tg_any(x[0], TG_DIMS(1), true);
    case 356: return tg_any(x[0], TG_ALL_DIMS, false);
    case 357: return tg_any(x[0], TG_DIMS(1), false);
    case 358: return tg_all(x[0], TG_DIMS(1), true);
    case 359: return tg_all(x[0], TG_DIMS(1), true);
    case 360: return tg_all(x[0], TG_ALL_DIMS, false);
    case 361: return tg_all(x[0], TG_DIMS(1), false);
    case 362: return tg_prod(x[0], TG_ALL_DIMS, false);
    case 363: return tg_prod(x[0], TG_DIMS(0, -1), true);
    case 364: return tg_prod(tg_transpose(x[0], 0, 2), TG_DIMS(1), false);
    case 365: return tg_prod(x[0], TG_DIMS(1), false);
    case 366: return tg_prod(x[0], TG_DIMS(1), false);
    case 367: return tg_std(x[0], TG_DIMS(1), 0, false);
    case 368: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 369: return tg_std(x[0], TG_DIMS(0, -1), 1, true);
    case 370: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 371: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 372: return tg_norm(tg_transpose(x[0], 0, 1), 2, TG_ALL_DIMS, true);
    case 373: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 374: return tg_norm(tg_transpose(x[0], 0, 1), 1, TG_ALL_DIMS, true);
    case 375: return tg_norm(x[0], 3, TG_DIMS(1), false);
    case 376: return tg_norm(tg_transpose(x[0], 0, 1), 3, TG_ALL_DIMS, true);
    case 377: return tg_norm(x[0], 0.5, TG_DIMS(1), false);
    case 378: return tg_norm(tg_transpose(x[0], 0, 1), 0.5, TG_ALL_DIMS, true);
    case 379: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 380: return tg_norm(tg_transpose(x[0], 0, 1), (double)INFINITY, TG_ALL_DIMS, true);
    case 381: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 382: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 383: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 384: return tg_cumsum(x[0], 0);
    case 385: return tg_cumsum(x[0], -1);
    case 386: return tg_cumsum(x[0], 1);
    case 387: return tg_cumsum(tg_transpose(x[0], 0, 1), 1);
    case 388: return tg_argsort(x[0], 1, false);
    case 389: return tg_argsort(tg_transpose(x[0], 0, 1), 0, false);
    case 390: return tg_sort(x[0], 0, false, NULL);
    case 391: return tg_argsort(x[0], 1, true);
    case 392: return tg_argsort(tg_transpose(x[0], 0, 1), 0, true);
    case 393: return tg_sort(x[0], 0, true, NULL);
    case 394: return tg_topk(x[0], 2, -1, false, NULL);
    case 395: return tg_topk(x[0], 2, -1, true, NULL);
    case 396: return tg_max_dim(x[0], 1, false, NULL);
    case 397: return tg_max_dim(x[0], 0, true, NULL);
    case 398: return tg_min_dim(x[0], 1, false, NULL);
    case 399: return tg_min_dim(x[0], 0, true, NULL);
    case 400: return tg_argmin(x[0], 0, false);
    case 401: return tg_argmin(x[0], -1, true);
    case 402: return tg_argmin(x[0], 1, false);
    case 403: return tg_index_add(x[0], 0, x[1], x[2]);
    case 404: return tg_index_add(x[0], -1, x[1], x[2]);
    case 405: return tg_index_add(tg_transpose(x[0], 0, 1), 1, x[1], tg_transpose(x[2], 0, 1));
    case 406: return tg_scatter_add(x[0], 0, x[1], x[2]);
    case 407: return tg_scatter_add(x[0], 1, x[1], x[2]);
    case 408: return tg_scatter_add(x[0], -1, x[1], x[2]);
    case 409: return tg_rms_norm(x[0], x[1], 1e-5);
    case 410: return tg_rms_norm(x[0], TG_NULL, 0.1);
    case 411: return tg_rms_norm(tg_transpose(x[0], 0, 1), x[1], 1e-5);
    case 412: return tg_rms_norm(x[0], x[1], 1e-5);
    case 413: return tg_rope(x[0], TG_ROPE_DEFAULTS);
    case 414: return tg_rope(x[0], (tg_rope_config){10000, 0, 0, true});
    case 415: return tg_rope(x[0], (tg_rope_config){500000, 9, 0, false});
    case 416: return tg_rope(x[0], (tg_rope_config){100, 3, 4, true});
    case 417: return tg_rope(tg_transpose(x[0], 0, 1), (tg_rope_config){100, 0, 2, false});
    case 418: return tg_swiglu(x[0], x[1]);
    case 419: return tg_swiglu(x[0], x[1]);
    case 420: return tg_swiglu(x[0], x[1]);
    case 421: return tg_swiglu(x[0], x[1]);
    case 422: return tg_swiglu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 423: return tg_swiglu(x[0], x[0]);
    case 424: return tg_swiglu(x[0], x[1]);
    case 425: return tg_bce_with_logits(x[0], x[1], TG_MEAN);
    case 426: return tg_l1_loss(x[0], x[1], TG_MEAN);
    case 427: return tg_kl_div(x[0], x[1], TG_MEAN);
    case 428: return tg_huber_loss(x[0], x[1], 1.25, TG_MEAN);
    case 429: return tg_bce_with_logits(x[0], x[1], TG_SUM);
    case 430: return tg_l1_loss(x[0], x[1], TG_SUM);
    case 431: return tg_kl_div(x[0], x[1], TG_SUM);
    case 432: return tg_huber_loss(x[0], x[1], 1.25, TG_SUM);
    case 433: return tg_bce_with_logits(x[0], x[1], TG_NONE);
    case 434: return tg_l1_loss(x[0], x[1], TG_NONE);
    case 435: return tg_kl_div(x[0], x[1], TG_NONE);
    case 436: return tg_huber_loss(x[0], x[1], 1.25, TG_NONE);
    case 437: return tg_bce_with_logits(x[0], x[1], TG_NONE);
    case 438: return tg_kl_div(x[0], tg_detach(x[1]), TG_NONE);
    case 439: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_MEAN});
    case 440: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_MEAN});
    case 441: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_MEAN});
    case 442: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_SUM});
    case 443: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_SUM});
    case 444: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_SUM});
    case 445: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_NONE});
    case 446: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_NONE});
    case 447: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_NONE});
    case 448: return tg_cross_entropy_with(x[0], x[1], TG_CROSS_ENTROPY_DEFAULTS);
    case 449: return tg_flip(x[0], TG_DIMS(1));
    case 450: return tg_flip(tg_transpose(x[0], 0, 2), TG_DIMS(0, -1));
    case 451: return tg_flip(x[0], TG_ALL_DIMS);
    case 452: return tg_roll(x[0], 1, 1);
    case 453: return tg_roll(x[0], -1, 1);
    case 454: return tg_roll(x[0], 5, 1);
    case 455: return tg_roll(x[0], 0, 1);
    case 456: return tg_repeat(x[0], TG_SHAPE(2, 3));
    case 457: return tg_repeat(tg_transpose(x[0], 0, 1), TG_SHAPE(2, 1, 3));
    case 458: return tg_repeat(x[0], TG_SHAPE(0, 1));
    default: return TG_NULL;
    }
}

static const golden_case golden_cases[] = {
    {"add", "", "f2,3 f2,3", "f2,3", 0},
    {"add", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 36},
    {"add", "a scalar broadcasts", "f2,3 f", "f2,3", 104},
    {"add", "empty", "f0,3 f1,3", "f0,3", 130},
    {"add", "views", "f2,3 f3,4", "f3,2", 136},
    {"add", "one operand twice", "f3", "f3", 184},
    {"sub", "", "f2,3 f2,3", "f2,3", 196},
    {"sub", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 232},
    {"sub", "a scalar broadcasts", "f2,3 f", "f2,3", 300},
    {"sub", "empty", "f0,3 f1,3", "f0,3", 326},
    {"sub", "views", "f2,3 f3,4", "f3,2", 332},
    {"sub", "one operand twice", "f3", "f3", 380},
    {"mul", "", "f2,3 f2,3", "f2,3", 392},
    {"mul", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 428},
    {"mul", "a scalar broadcasts", "f2,3 f", "f2,3", 496},
    {"mul", "empty", "f0,3 f1,3", "f0,3", 522},
    {"mul", "views", "f2,3 f3,4", "f3,2", 528},
    {"mul", "one operand twice", "f3", "f3", 576},
    {"div", "", "f2,3 f2,3", "f2,3", 588},
    {"div", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 624},
    {"div", "a scalar broadcasts", "f2,3 f", "f2,3", 692},
    {"div", "empty", "f0,3 f1,3", "f0,3", 718},
    {"div", "views", "f2,3 f3,4", "f3,2", 724},
    {"div", "one operand twice", "f3", "f3", 772},
    {"div", "special points", "f4 f4", "f4", 784},
    {"maximum", "", "f2,3 f2,3", "f2,3", 808},
    {"maximum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 844},
    {"maximum", "a scalar broadcasts", "f2,3 f", "f2,3", 912},
    {"maximum", "empty", "f0,3 f1,3", "f0,3", 938},
    {"maximum", "views", "f2,3 f3,4", "f3,2", 944},
    {"maximum", "one operand twice", "f3", "f3", 992},
    {"maximum", "special points", "f4 f4", "f4", 1004},
    {"minimum", "", "f2,3 f2,3", "f2,3", 1028},
    {"minimum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 1064},
    {"minimum", "a scalar broadcasts", "f2,3 f", "f2,3", 1132},
    {"minimum", "empty", "f0,3 f1,3", "f0,3", 1158},
    {"minimum", "views", "f2,3 f3,4", "f3,2", 1164},
    {"minimum", "one operand twice", "f3", "f3", 1212},
    {"minimum", "special points", "f4 f4", "f4", 1224},
    {"neg", "", "f2,3", "f2,3", 1248},
    {"neg", "a view", "f3,2", "f2,3", 1272},
    {"neg", "a scalar", "f", "f", 1296},
    {"neg", "empty", "f2,0", "f2,0", 1300},
    {"neg", "special points", "f2", "f2", 1300},
    {"exp", "", "f2,3", "f2,3", 1308},
    {"exp", "a view", "f3,2", "f2,3", 1332},
    {"exp", "a scalar", "f", "f", 1356},
    {"exp", "empty", "f2,0", "f2,0", 1360},
    {"exp", "special points", "f3", "f3", 1360},
    {"log", "", "f2,3", "f2,3", 1372},
    {"log", "special points", "f3", "f3", 1396},
    {"sqrt", "", "f2,3", "f2,3", 1408},
    {"sqrt", "special points", "f3", "f3", 1432},
    {"square", "", "f2,3", "f2,3", 1444},
    {"square", "a view", "f3,2", "f2,3", 1468},
    {"square", "a scalar", "f", "f", 1492},
    {"square", "empty", "f2,0", "f2,0", 1496},
    {"square", "special points", "f1", "f1", 1496},
    {"abs", "", "f2,3", "f2,3", 1500},
    {"abs", "a view", "f3,2", "f2,3", 1524},
    {"abs", "a scalar", "f", "f", 1548},
    {"abs", "empty", "f2,0", "f2,0", 1552},
    {"abs", "special points", "f2", "f2", 1552},
    {"tanh", "", "f2,3", "f2,3", 1560},
    {"tanh", "a view", "f3,2", "f2,3", 1584},
    {"tanh", "a scalar", "f", "f", 1608},
    {"tanh", "empty", "f2,0", "f2,0", 1612},
    {"tanh", "special points", "f3", "f3", 1612},
    {"sigmoid", "", "f2,3", "f2,3", 1624},
    {"sigmoid", "a view", "f3,2", "f2,3", 1648},
    {"sigmoid", "a scalar", "f", "f", 1672},
    {"sigmoid", "empty", "f2,0", "f2,0", 1676},
    {"sigmoid", "special points", "f4", "f4", 1676},
    {"relu", "", "f2,3", "f2,3", 1692},
    {"relu", "a view", "f3,2", "f2,3", 1716},
    {"relu", "a scalar", "f", "f", 1740},
    {"relu", "empty", "f2,0", "f2,0", 1744},
    {"relu", "special points", "f3", "f3", 1744},
    {"silu", "", "f2,3", "f2,3", 1756},
    {"silu", "a view", "f3,2", "f2,3", 1780},
    {"silu", "a scalar", "f", "f", 1804},
    {"silu", "empty", "f2,0", "f2,0", 1808},
    {"silu", "special points", "f3", "f3", 1808},
    {"gelu", "", "f2,3", "f2,3", 1820},
    {"gelu", "a view", "f3,2", "f2,3", 1844},
    {"gelu", "a scalar", "f", "f", 1868},
    {"gelu", "empty", "f2,0", "f2,0", 1872},
    {"gelu", "special points", "f3", "f3", 1872},
    {"gelu_tanh", "", "f2,3", "f2,3", 1884},
    {"gelu_tanh", "a view", "f3,2", "f2,3", 1908},
    {"gelu_tanh", "a scalar", "f", "f", 1932},
    {"gelu_tanh", "empty", "f2,0", "f2,0", 1936},
    {"gelu_tanh", "special points", "f3", "f3", 1936},
    {"pow", "both signs", "f5", "f5", 1948},
    {"pow", "both signs", "f5", "f5", 1968},
    {"pow", "both signs", "f5", "f5", 1988},
    {"pow", "both signs", "f5", "f5", 2008},
    {"pow", "both signs", "f5", "f5", 2028},
    {"pow", "both signs", "f5", "f5", 2048},
    {"pow", "", "f5", "f5", 2068},
    {"pow", "", "f5", "f5", 2088},
    {"pow", "", "f5", "f5", 2108},
    {"pow", "at 0", "f3", "f3", 2128},
    {"pow", "at 0", "f3", "f3", 2140},
    {"pow", "at 0", "f3", "f3", 2152},
    {"pow", "at 0", "f3", "f3", 2164},
    {"clamp", "", "f5", "f5", 2176},
    {"clamp", "one bound", "f3,2", "f3,2", 2196},
    {"add_scalar", "", "f2,3", "f2,3", 2220},
    {"add_scalar", "a view", "f2,3", "f3,2", 2244},
    {"sub_scalar", "", "f2,3", "f2,3", 2268},
    {"sub_scalar", "a view", "f2,3", "f3,2", 2292},
    {"rsub_scalar", "", "f2,3", "f2,3", 2316},
    {"rsub_scalar", "a view", "f2,3", "f3,2", 2340},
    {"mul_scalar", "", "f2,3", "f2,3", 2364},
    {"mul_scalar", "a view", "f2,3", "f3,2", 2388},
    {"div_scalar", "", "f2,3", "f2,3", 2412},
    {"div_scalar", "a view", "f2,3", "f3,2", 2436},
    {"rdiv_scalar", "", "f2,3", "f2,3", 2460},
    {"rdiv_scalar", "a view", "f2,3", "f3,2", 2484},
    {"eq", "", "f2,2 f2", "b2,2", 2508},
    {"lt", "", "f2,2 f2", "b2,2", 2518},
    {"gt", "", "f2,2 f2", "b2,2", 2528},
    {"eq", "ints", "i3 i2,1", "b2,3", 2538},
    {"logical_not", "", "b2,2", "b2,2", 2549},
    {"to_bool", "", "f4", "b4", 2557},
    {"to_bool", "", "i3", "b3", 2565},
    {"to_float", "", "i2,2", "c2,2", 2571},
    {"to_float", "", "b2", "c2", 2579},
    {"where", "", "b2,3 f2,3 f2,3", "f2,3", 2583},
    {"where", "all broadcast", "b3 f2,1 f", "f2,3", 2625},
    {"masked_fill", "the mask broadcasts", "f2,2,3 b2,3", "f2,2,3", 2646},
    {"masked_fill", "-inf", "f3,2 b2,3", "f2,3", 2700},
    {"sum", "", "f2,3", "f", 2730},
    {"sum", "keepdim", "f2,3", "f1,1", 2744},
    {"sum", "last dim", "f2,3", "f2", 2758},
    {"sum", "outer dims", "f2,3,2", "f3", 2774},
    {"sum", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2804},
    {"sum", "a view", "f2,3,2", "f2", 2836},
    {"sum", "expanded", "f2,1", "f2", 2864},
    {"sum", "empty result", "f2,0", "f0", 2872},
    {"sum", "a scalar", "f", "f", 2872},
    {"mean", "", "f2,3", "f", 2876},
    {"mean", "keepdim", "f2,3", "f1,1", 2890},
    {"mean", "last dim", "f2,3", "f2", 2904},
    {"mean", "outer dims", "f2,3,2", "f3", 2920},
    {"mean", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2950},
    {"mean", "a view", "f2,3,2", "f2", 2982},
    {"mean", "expanded", "f2,1", "f2", 3010},
    {"mean", "empty result", "f2,0", "f0", 3018},
    {"mean", "a scalar", "f", "f", 3018},
    {"amax", "", "f2,3", "f", 3022},
    {"amax", "keepdim", "f2,3", "f1,1", 3036},
    {"amax", "last dim", "f2,3", "f2", 3050},
    {"amax", "outer dims", "f2,3,2", "f3", 3066},
    {"amax", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3096},
    {"amax", "a view", "f2,3,2", "f2", 3128},
    {"amax", "expanded", "f2,1", "f2", 3156},
    {"amax", "empty result", "f2,0", "f0", 3164},
    {"amax", "a scalar", "f", "f", 3164},
    {"amin", "", "f2,3", "f", 3168},
    {"amin", "keepdim", "f2,3", "f1,1", 3182},
    {"amin", "last dim", "f2,3", "f2", 3196},
    {"amin", "outer dims", "f2,3,2", "f3", 3212},
    {"amin", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3242},
    {"amin", "a view", "f2,3,2", "f2", 3274},
    {"amin", "expanded", "f2,1", "f2", 3302},
    {"amin", "empty result", "f2,0", "f0", 3310},
    {"amin", "a scalar", "f", "f", 3310},
    {"logsumexp", "", "f2,3", "f", 3314},
    {"logsumexp", "keepdim", "f2,3", "f1,1", 3328},
    {"logsumexp", "last dim", "f2,3", "f2", 3342},
    {"logsumexp", "outer dims", "f2,3,2", "f3", 3358},
    {"logsumexp", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3388},
    {"logsumexp", "a view", "f2,3,2", "f2", 3420},
    {"logsumexp", "expanded", "f2,1", "f2", 3448},
    {"logsumexp", "empty result", "f2,0", "f0", 3456},
    {"logsumexp", "a scalar", "f", "f", 3456},
    {"sum", "over nothing", "f2,0", "f2", 3460},
    {"mean", "over nothing", "f2,0", "f2", 3464},
    {"amax", "ties", "f2,4", "f2", 3468},
    {"amax", "ties over all dims", "f2,2", "f", 3488},
    {"amin", "ties", "f2,4", "f2", 3498},
    {"amin", "ties over all dims", "f2,2", "f", 3518},
    {"logsumexp", "-inf and large", "f3,2", "f3", 3528},
    {"var", "", "f2,4", "f2", 3546},
    {"var", "", "f2,4", "f2", 3566},
    {"var", "", "f2,4", "f2", 3586},
    {"var", "outer dims, keepdim", "f2,3,2", "f1,3,1", 3606},
    {"var", "a view", "f2,3", "f", 3636},
    {"argmax", "ties: the first", "f2,3", "i3", 3650},
    {"argmax", "ties: the first", "f2,3", "i2,1", 3659},
    {"argmax", "ties: the first", "f2,3", "i2", 3667},
    {"reshape", "", "f2,6", "f3,4", 3675},
    {"reshape", "a copy", "f2,3", "f6", 3723},
    {"reshape", "of a slice, as a view", "f3,2 f4", "f4", 3747},
    {"transpose", "", "f2,3,2 f2,3,2", "f2,3,2", 3775},
    {"permute", "", "f2,3,2 f2,2,3", "f2,2,3", 3847},
    {"slice", "", "f2,7", "f2,3", 3919},
    {"slice", "negative, clamped", "f4,2", "f2,2", 3959},
    {"slice", "empty", "f4,2", "f0,2", 3983},
    {"slice", "overlapping", "f4", "f3", 3999},
    {"select", "", "f2,3,2", "f2,2", 4013},
    {"select", "to scalars", "f2", "f", 4045},
    {"squeeze", "", "f2,1,3", "f2,3", 4051},
    {"squeeze", "", "f1,3 f3", "f3", 4075},
    {"unsqueeze", "", "f2,3 f4", "f2,3,4", 4093},
    {"expand", "", "f2,1 f2,2,3", "f2,2,3", 4161},
    {"expand", "to nothing", "f1,3", "f0,3", 4213},
    {"contiguous", "", "f2,3", "f3,2", 4219},
    {"clone", "", "f3", "f3", 4243},
    {"detach", "", "f3", "f3", 4255},
    {"cat", "", "f2,1 f2,3 f2,0", "f2,4", 4267},
    {"cat", "a view, a part twice", "f2,2 f1,2", "f4,2", 4299},
    {"stack", "", "f2,3 f2,3", "f2,3,2", 4327},
    {"stack", "scalars", "f f", "f2", 4375},
    {"split", "", "f2,5", "f2,2", 4383},
    {"split", "the smaller last one", "f2,5", "f2,1", 4411},
    {"tril", "", "f2,3,3", "f2,3,3", 4435},
    {"tril", "", "f2,3,3", "f2,3,3", 4507},
    {"tril", "", "f2,3,3", "f2,3,3", 4579},
    {"tril", "a view, not square", "f4,2", "f2,4", 4651},
    {"triu", "", "f2,3,3", "f2,3,3", 4683},
    {"triu", "", "f2,3,3", "f2,3,3", 4755},
    {"triu", "", "f2,3,3", "f2,3,3", 4827},
    {"triu", "a view, not square", "f4,2", "f2,4", 4899},
    {"matmul", "(2, 3) (3, 4)", "f2,3 f3,4", "f2,4", 4931},
    {"matmul", "(3,) (3,)", "f3 f3", "f", 4983},
    {"matmul", "(3,) (2, 3, 2)", "f3 f2,3,2", "f2,2", 4997},
    {"matmul", "(2, 2, 3) (3,)", "f2,2,3 f3", "f2,2", 5035},
    {"matmul", "(2, 2, 3) (3, 2)", "f2,2,3 f3,2", "f2,2,2", 5073},
    {"matmul", "(2, 1, 2, 3) (3, 3, 2)", "f2,1,2,3 f3,3,2", "f2,3,2,2", 5125},
    {"matmul", "(2, 0) (0, 3)", "f2,0 f0,3", "f2,3", 5233},
    {"matmul", "(0, 2, 3) (3, 2)", "f0,2,3 f3,2", "f0,2,2", 5245},
    {"matmul", "(1, 3) (3, 1)", "f1,3 f3,1", "f1,1", 5257},
    {"matmul", "transposed views", "f2,3,2 f2,4,3", "f2,2,4", 5271},
    {"matmul", "sliced views", "f3,4 f4,2", "f3,2", 5375},
    {"matmul", "one operand twice", "f2,3", "f2,2", 5427},
    {"linear", "", "f2,3 f4,3 f4", "f2,4", 5447},
    {"linear", "batched, no bias", "f2,2,3 f4,3", "f2,2,4", 5507},
    {"linear", "1-D", "f3 f2,3 f2", "f2", 5587},
    {"linear", "views", "f3,2 f3,4 f4", "f2,4", 5613},
    {"linear", "empty", "f0,3 f2,3 f2", "f0,2", 5673},
    {"softmax", "dim -1", "f2,3", "f2,3", 5689},
    {"softmax", "dim 0", "f2,3", "f2,3", 5713},
    {"softmax", "dim 1", "f2,3,2", "f2,3,2", 5737},
    {"softmax", "dim 0", "f1", "f1", 5785},
    {"softmax", "dim 1", "f2,0", "f2,0", 5789},
    {"softmax", "a view", "f3,2", "f2,3", 5789},
    {"softmax", "large, equal", "f2,3", "f2,3", 5813},
    {"log_softmax", "dim -1", "f2,3", "f2,3", 5837},
    {"log_softmax", "dim 0", "f2,3", "f2,3", 5861},
    {"log_softmax", "dim 1", "f2,3,2", "f2,3,2", 5885},
    {"log_softmax", "dim 0", "f1", "f1", 5933},
    {"log_softmax", "dim 1", "f2,0", "f2,0", 5937},
    {"log_softmax", "a view", "f3,2", "f2,3", 5937},
    {"log_softmax", "large, equal", "f2,3", "f2,3", 5961},
    {"softmax", "a row of -inf", "f3,2", "f3,2", 5985},
    {"log_softmax", "a row of -inf", "f2,2 b2,2", "f2,2", 6009},
    {"layer_norm", "", "f2,4 f4 f4", "f2,4", 6029},
    {"layer_norm", "no weight", "f2,2,3", "f2,2,3", 6077},
    {"layer_norm", "a view", "f4,2 f4", "f2,4", 6125},
    {"layer_norm", "a constant row", "f2,3 f3 f3", "f2,3", 6165},
    {"scaled_dot_product_attention", "", "f3,2 f4,2 f4,3", "f3,3", 6201},
    {"scaled_dot_product_attention", "causal, batched", "f2,2,3,2 f2,2,3,2 f2,2,3,2", "f2,2,3,2", 6271},
    {"scaled_dot_product_attention", "causal, more keys, a scale", "f2,2 f4,2 f4,1", "f2,1", 6463},
    {"scaled_dot_product_attention", "a bool mask broadcasts", "f2,2,2 f2,3,2 f2,3,2 b2,3", "f2,2,2", 6499},
    {"scaled_dot_product_attention", "a query that sees nothing", "f2,2 f3,2 f3,2 b2,3", "f2,2", 6585},
    {"scaled_dot_product_attention", "a mask of numbers, a scale", "f2,2 f3,2 f3,2 c2,3", "f2,2", 6631},
    {"scaled_dot_product_attention", "views", "f2,3 f2,3 f3,2", "f3,2", 6677},
    {"embedding", "an id twice", "f4,3 i2,2", "f2,2,3", 6725},
    {"embedding", "one id", "f4,2 i", "f2", 6777},
    {"embedding", "a view", "f2,4 i3", "f3,2", 6798},
    {"index_select", "an index repeated", "f3,2,3 i4", "f4,2,3", 6829},
    {"index_select", "an index repeated", "f3,2,3 i4", "f3,2,4", 6917},
    {"index_select", "no index", "f2,3 i0", "f2,0", 7005},
    {"gather", "", "f2,3 i2,4", "f2,4", 7017},
    {"gather", "a smaller index", "f3,2 i2,1", "f2,1", 7053},
    {"gather", "a view", "f2,3 i3,1", "f3,1", 7071},
    {"dropout", "PyTorch's numbers from a seed", "f3,4", "f3,4", 7092},
    {"dropout", "PyTorch's numbers from a seed", "f2,5", "f2,5", 7140},
    {"dropout", "all of them", "f2,3", "f2,3", 7180},
    {"cross_entropy", "mean, one ignored", "f3,4 i3", "f", 7204},
    {"cross_entropy", "mean, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7233},
    {"mse_loss", "", "f2,3 f2,3", "f", 7263},
    {"cross_entropy", "sum, one ignored", "f3,4 i3", "f", 7289},
    {"cross_entropy", "sum, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7318},
    {"mse_loss", "", "f2,3 f2,3", "f", 7348},
    {"cross_entropy", "none, one ignored", "f3,4 i3", "f3", 7374},
    {"cross_entropy", "none, (..., C), class 2 ignored", "f2,2,3 i2,2", "f2,2", 7407},
    {"mse_loss", "", "f2,3 f2,3", "f2,3", 7443},
    {"cross_entropy", "one row", "f3 i", "f", 7479},
    {"cross_entropy", "all ignored", "f2,3 i2", "f", 7488},
    {"cross_entropy", "a view", "f3,2 i2", "f", 7504},
    {"cross_entropy", "large logits", "f2,3 i2", "f", 7520},
    {"custom", "", "f4 f4", "f4", 7536},
    {"custom", "a view", "f4 f8", "f4", 7560},
    {"bias_gelu", "", "f2,3 f3", "f2,3", 7592},
    {"bias_gelu", "views", "f2,3 f4", "f3,2", 7622},
    {"bias_gelu", "one operand twice", "f3", "f3", 7654},
    {"sin", "", "f2,3", "f2,3", 7666},
    {"sin", "a view", "f3,2", "f2,3", 7690},
    {"sin", "a scalar", "f", "f", 7714},
    {"sin", "empty", "f2,0", "f2,0", 7718},
    {"sin", "special points", "f2", "f2", 7718},
    {"cos", "", "f2,3", "f2,3", 7726},
    {"cos", "a view", "f3,2", "f2,3", 7750},
    {"cos", "a scalar", "f", "f", 7774},
    {"cos", "empty", "f2,0", "f2,0", 7778},
    {"cos", "special points", "f2", "f2", 7778},
    {"erf", "", "f2,3", "f2,3", 7786},
    {"erf", "a view", "f3,2", "f2,3", 7810},
    {"erf", "a scalar", "f", "f", 7834},
    {"erf", "empty", "f2,0", "f2,0", 7838},
    {"erf", "special points", "f3", "f3", 7838},
    {"expm1", "", "f2,3", "f2,3", 7850},
    {"expm1", "a view", "f3,2", "f2,3", 7874},
    {"expm1", "a scalar", "f", "f", 7898},
    {"expm1", "empty", "f2,0", "f2,0", 7902},
    {"expm1", "special points", "f3", "f3", 7902},
    {"softplus", "", "f2,3", "f2,3", 7914},
    {"softplus", "a view", "f3,2", "f2,3", 7938},
    {"softplus", "a scalar", "f", "f", 7962},
    {"softplus", "empty", "f2,0", "f2,0", 7966},
    {"softplus", "special points", "f3", "f3", 7966},
    {"log1p", "", "f2,3", "f2,3", 7978},
    {"log1p", "special points", "f3", "f3", 8002},
    {"rsqrt", "", "f2,3", "f2,3", 8014},
    {"rsqrt", "special points", "f2", "f2", 8038},
    {"leaky_relu", "", "f2,3", "f2,3", 8046},
    {"leaky_relu", "special points", "f3", "f3", 8070},
    {"elu", "", "f2,3", "f2,3", 8082},
    {"elu", "special points", "f4", "f4", 8106},
    {"pow_tensor", "", "f2,3 f2,3", "f2,3", 8122},
    {"pow_tensor", "both broadcast", "f3,1 f2", "f3,2", 8158},
    {"pow_tensor", "whole exponents, zeros", "f4 f4", "f4", 8180},
    {"pow_tensor", "zeros", "f3 f3", "f3", 8204},
    {"clamp_tensor", "bounds broadcast", "f2,3 f2,1 f3", "f2,3", 8222},
    {"clamp_tensor", "low > high", "f3 f3 f3", "f3", 8256},
    {"eq", "", "f2,2 f2", "b2,2", 8280},
    {"eq", "NaN and Inf", "f3 f3", "b3", 8290},
    {"ne", "", "f2,2 f2", "b2,2", 8299},
    {"ne", "NaN and Inf", "f3 f3", "b3", 8309},
    {"lt", "", "f2,2 f2", "b2,2", 8318},
    {"lt", "NaN and Inf", "f3 f3", "b3", 8328},
    {"le", "", "f2,2 f2", "b2,2", 8337},
    {"le", "NaN and Inf", "f3 f3", "b3", 8347},
    {"gt", "", "f2,2 f2", "b2,2", 8356},
    {"gt", "NaN and Inf", "f3 f3", "b3", 8366},
    {"ge", "", "f2,2 f2", "b2,2", 8375},
    {"ge", "NaN and Inf", "f3 f3", "b3", 8385},
    {"isnan", "", "f3", "b3", 8394},
    {"logical_and", "", "b2,1 b2", "b2,2", 8400},
    {"logical_or", "", "b2,1 b2", "b2,2", 8408},
    {"any", "bools", "b3,2", "b3,1", 8416},
    {"any", "numbers", "f3,2", "b3,1", 8425},
    {"any", "ints", "i3", "b", 8434},
    {"any", "over nothing", "f2,0", "b2", 8438},
    {"all", "bools", "b3,2", "b3,1", 8440},
    {"all", "numbers", "f3,2", "b3,1", 8449},
    {"all", "ints", "i3", "b", 8458},
    {"all", "over nothing", "f2,0", "b2", 8462},
    {"prod", "", "f2,3", "f", 8464},
    {"prod", "outer dims, keepdim", "f2,3,2", "f1,3,1", 8478},
    {"prod", "a view", "f2,3,2", "f2,2", 8508},
    {"prod", "zeros", "f2,3", "f2", 8540},
    {"prod", "over nothing", "f2,0", "f2", 8556},
    {"std", "", "f2,4", "f2", 8560},
    {"std", "", "f2,4", "f2", 8580},
    {"std", "outer dims, keepdim", "f2,3,2", "f1,3,1", 8600},
    {"std", "a constant row", "f2,2", "f2", 8630},
    {"norm", "p = 2", "f2,3", "f2", 8642},
    {"norm", "p = 2, a view", "f2,3", "f1,1", 8658},
    {"norm", "p = 1", "f2,3", "f2", 8672},
    {"norm", "p = 1, a view", "f2,3", "f1,1", 8688},
    {"norm", "p = 3", "f2,3", "f2", 8702},
    {"norm", "p = 3, a view", "f2,3", "f1,1", 8718},
    {"norm", "p = 0.5", "f2,3", "f2", 8732},
    {"norm", "p = 0.5, a view", "f2,3", "f1,1", 8748},
    {"norm", "p = inf", "f2,3", "f2", 8762},
    {"norm", "p = inf, a view", "f2,3", "f1,1", 8778},
    {"norm", "zeros", "f2,2", "f2", 8792},
    {"norm", "zeros", "f2,2", "f2", 8804},
    {"norm", "a tie", "f1,3", "f1", 8816},
    {"cumsum", "dim 0", "f3,2", "f3,2", 8824},
    {"cumsum", "dim -1", "f2,3", "f2,3", 8848},
    {"cumsum", "dim 1", "f2,3,2", "f2,3,2", 8872},
    {"cumsum", "a view", "f3,2", "f2,3", 8920},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 8944},
    {"argsort", "a view", "f2,5", "i5,2", 8960},
    {"sort", "", "f5,2", "f5,2", 8980},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 9020},
    {"argsort", "a view", "f2,5", "i5,2", 9036},
    {"sort", "", "f5,2", "f5,2", 9056},
    {"topk", "", "f2,4", "f2,2", 9096},
    {"topk", "", "f2,4", "f2,2", 9120},
    {"max_dim", "", "f2,4", "f2", 9144},
    {"max_dim", "", "f3,2", "f1,2", 9164},
    {"min_dim", "", "f2,4", "f2", 9180},
    {"min_dim", "", "f3,2", "f1,2", 9200},
    {"argmin", "ties: the first", "f2,3", "i3", 9216},
    {"argmin", "ties: the first", "f2,3", "i2,1", 9225},
    {"argmin", "ties: the first", "f2,3", "i2", 9233},
    {"index_add", "an index repeated", "f3,2 i4 f4,2", "f3,2", 9241},
    {"index_add", "an index repeated", "f3,3 i4 f3,4", "f3,3", 9285},
    {"index_add", "views", "f3,2 i2 f2,2", "f2,3", 9349},
    {"scatter_add", "an index repeated", "f3,3 i2,3 f2,3", "f3,3", 9383},
    {"scatter_add", "an index repeated", "f2,3 i2,3 f2,3", "f2,3", 9437},
    {"scatter_add", "fewer rows, more columns", "f3,2 i1,3 f1,3", "f3,2", 9479},
    {"rms_norm", "", "f2,4 f4", "f2,4", 9512},
    {"rms_norm", "no weight", "f2,2,3", "f2,2,3", 9552},
    {"rms_norm", "a view", "f4,2 f4", "f2,4", 9600},
    {"rms_norm", "empty", "f0,3 f3", "f0,3", 9640},
    {"rope", "", "f2,3,4", "f2,3,4", 9646},
    {"rope", "interleaved", "f2,3,4", "f2,3,4", 9742},
    {"rope", "an offset, another base", "f3,6", "f3,6", 9838},
    {"rope", "partial, interleaved", "f2,7", "f2,7", 9910},
    {"rope", "partial, a view", "f5,3", "f3,5", 9966},
    {"swiglu", "", "f2,3 f2,3", "f2,3", 10026},
    {"swiglu", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 10062},
    {"swiglu", "a scalar broadcasts", "f2,3 f", "f2,3", 10130},
    {"swiglu", "empty", "f0,3 f1,3", "f0,3", 10156},
    {"swiglu", "views", "f2,3 f3,4", "f3,2", 10162},
    {"swiglu", "one operand twice", "f3", "f3", 10210},
    {"swiglu", "special points", "f3 f3", "f3", 10222},
    {"bce_with_logits", "mean", "f2,3 f2,3", "f", 10240},
    {"l1_loss", "mean", "f2,3 f2,3", "f", 10266},
    {"kl_div", "mean", "f2,3 f2,3", "f", 10292},
    {"huber_loss", "mean", "f2,4 f2,4", "f", 10318},
    {"bce_with_logits", "sum", "f2,3 f2,3", "f", 10352},
    {"l1_loss", "sum", "f2,3 f2,3", "f", 10378},
    {"kl_div", "sum", "f2,3 f2,3", "f", 10404},
    {"huber_loss", "sum", "f2,4 f2,4", "f", 10430},
    {"bce_with_logits", "none", "f2,3 f2,3", "f2,3", 10464},
    {"l1_loss", "none", "f2,3 f2,3", "f2,3", 10500},
    {"kl_div", "none", "f2,3 f2,3", "f2,3", 10536},
    {"huber_loss", "none", "f2,4 f2,4", "f2,4", 10572},
    {"bce_with_logits", "special points", "f3 f3", "f3", 10620},
    {"kl_div", "a probability of 0", "f2 f2", "f2", 10638},
    {"cross_entropy_with", "mean, smoothing 0, one ignored", "f3,4 i3 c4", "f", 10650},
    {"cross_entropy_with", "mean, smoothing 0.25, one ignored", "f3,4 i3 c4", "f", 10683},
    {"cross_entropy_with", "mean, no weights", "f2,2,3 i2,2", "f", 10716},
    {"cross_entropy_with", "sum, smoothing 0, one ignored", "f3,4 i3 c4", "f", 10746},
    {"cross_entropy_with", "sum, smoothing 0.25, one ignored", "f3,4 i3 c4", "f", 10779},
    {"cross_entropy_with", "sum, no weights", "f2,2,3 i2,2", "f", 10812},
    {"cross_entropy_with", "none, smoothing 0, one ignored", "f3,4 i3 c4", "f3", 10842},
    {"cross_entropy_with", "none, smoothing 0.25, one ignored", "f3,4 i3 c4", "f3", 10879},
    {"cross_entropy_with", "none, no weights", "f2,2,3 i2,2", "f2,2", 10916},
    {"cross_entropy_with", "large logits", "f2,3 i2", "f", 10952},
    {"flip", "", "f2,3", "f2,3", 10968},
    {"flip", "a view", "f2,3,2", "f2,3,2", 10992},
    {"flip", "ints", "i2,3", "i2,3", 11040},
    {"roll", "by 1", "f2,3", "f2,3", 11052},
    {"roll", "by -1", "f2,3", "f2,3", 11076},
    {"roll", "by 5", "f2,3", "f2,3", 11100},
    {"roll", "by 0", "f2,3", "f2,3", 11124},
    {"repeat", "", "f2,2", "f4,6", 11148},
    {"repeat", "a dim more, a view", "f2,2", "f2,2,6", 11204},
    {"repeat", "to nothing", "f2,2", "f0,2", 11260},
};

static const double golden_numbers[] = {
    -1.1875, -0.875, 1.875, 1.3125, -1.75, 1.125, -1, -1.75, 1.5625, -1.5625, -0.9375, 1.875, -0.375, -0.6875,
    -1.4375, 1.0625, -0.25, -0.875, -2.1875, -2.625, 3.4375, -0.25, -2.6875, 3, -0.375, -0.6875, -1.4375, 1.0625,
    -0.25, -0.875, -0.375, -0.6875, -1.4375, 1.0625, -0.25, -0.875, 1.75, -1.6875, 1.875, -1.3125, -1.4375, 0.0625, 1,
    -0.0625, -1.8125, 0.875, 1.3125, -1.8125, 1.875, -0.375, 1.25, -0.4375, -1.5, 2, -1.1875, -0.5, 2, 1.4375, 1.875,
    -0.5625, -1.25, 1.125, 0.0625, 0.1875, 0.3125, -1.8125, -1.25, -0.125, 1.6875, -1.0625, 2.75, -0.6875, 1.6875,
    -1.75, -0.0625, -3.5, 2.625, -0.8125, 2.875, -0.3125, 1.8125, -1.375, 0.0625, -3.125, 2.75, -0.4375, -0.4375,
    1.0625, -1.5, 0, -3.25, -1.75, -0.5625, 0.9375, 2.9375, -0.625, 1.4375, 1.5, 0.8125, -2.8125, -1.9375, 3.4375,
    0.75, 1, 0.125, -1.25, 0.25, -0.875, -1.125, -1.5, 1.375, 1.125, -1.9375, 1.25, -1.125, -0.9375, 1.8125, 1.5,
    0.125, 1.625, 0.5, 0.25, -0.125, 1.125, -1.9375, 1.25, -1.125, -0.9375, 1.8125, 0.1875, 1.4375, -1.125, 0.125, 0,
    0, 0, -1.0625, -0.25, -1.3125, 0.5625, -0.3125, 1.8125, -1.6875, -1.8125, -1, 1.9375, 1.6875, -0.5, -1.125,
    -0.3125, 1.375, -0.5625, -1.875, 2, 1.75, 1.3125, 1.1875, -0.625, -0.8125, -1.3125, -2.75, -0.4375, 1.4375,
    -1.4375, 0.0625, -0.0625, 1.75, 1.1875, -0.8125, 1.3125, -0.625, -1.3125, 1.75, 0, 1.3125, 0, 1.1875, 0, -0.625,
    0, -0.8125, 0, -1.3125, 0, -1.1875, -1.5, -0.4375, -1.0625, -0.875, 1.5625, -2.375, -3, -0.875, -2.125, -1.75,
    3.125, -1.5625, 0.8125, 0.25, 0.1875, -1.3125, -0.6875, -2, 0.8125, 0.4375, 0.375, 1.6875, 1.0625, -0.5625,
    0.4375, 0.5, 0.4375, 0.0625, -1.1875, 0.4375, 0, -0.1875, -0.1875, -3, -1.75, -0.5625, 0.4375, 0.5, 0.4375,
    0.0625, -1.1875, 0.5625, -0.4375, -0.5, -0.4375, -0.0625, 1.1875, -1, -1.25, -0.1875, -1.5, 0.75, -0.3125, 1.6875,
    0.0625, 1.1875, 1.125, 0.3125, 0.3125, 1.375, -1.5625, -0.6875, -1.125, -0.9375, 0.5625, 1.5625, -0.75, -1.5,
    -0.8125, -1, 1.125, -1.375, -0.6875, 0.8125, -1.6875, 0.4375, 0.1875, 0.4375, -1.375, 1.25, -0.8125, -2.6875,
    -2.9375, -1.0625, -1.3125, -2.1875, -2.4375, -2.125, -2.375, -1.875, -3.1875, -0.25, -1.5625, -1.375, -2.6875,
    -1.3125, -2.625, -0.9375, -2, 0.6875, -0.375, -0.4375, -1.5, -0.375, -1.4375, 0.0625, -1.8125, -2.3125, -1.125,
    2.9375, -3.6875, -0.5625, 1.875, 2.625, 2, 0.1875, 1.3125, 0.625, 1.9375, -1.6875, -1.5625, 0.375, 0.125, -1.5,
    1.0625, 1.375, 0.8125, -0.8125, -0.1875, 0.9375, 0.25, 1.5625, -2.0625, -1.9375, 0.125, -1.5, 1.0625, 1.375,
    0.8125, -0.8125, -1.0625, 0.375, -0.875, -0.125, 0, 0, 0, -0.3125, -1.9375, -0.625, -1, -1.5, -1.625, 0.3125,
    0.5625, 1.5, 1.0625, 0.75, -1.5, 1.8125, -0.75, 0.5, 0.6875, 1.5625, 0.75, 0.75, 0.3125, -1.75, -0.8125, 1.0625,
    -1.9375, -0.625, -2.5, -2.6875, -3.3125, -1.125, -3.1875, 0.75, -1.75, 1.0625, 0.3125, -0.8125, -1.9375, -0.75, 0,
    -0.3125, 0, 1.75, 0, 0.8125, 0, -1.0625, 0, 1.9375, 0, -0.1875, -0.3125, -0.6875, 1.75, 1.375, 1.1875, 0, 0, 0, 0,
    0, 0, 0.875, 1.5, 1.3125, 0.25, -1.25, 1.875, 0.6875, -0.8125, 1.0625, 1.75, -0.5625, 1.875, 1.0625, 1.0625,
    -0.25, 1.625, 1.875, 1.5, 0.6015625, -1.21875, 1.39453125, 0.4375, 0.703125, 3.515625, 0.73046875, -0.86328125,
    -0.265625, 2.84375, -1.0546875, 2.8125, 0.9296875, 1.59375, -0.328125, 0.40625, -2.34375, 2.8125, -0.25, 1.125,
    1.9375, -0.75, 0.9375, 0.0625, -0.25, 0.625, 0.25, 0.0625, 1.375, 0.625, -0.9375, -2, -0.4375, 0.8125, 1.875,
    1.0625, 1.1875, 1.6875, -1.375, -0.8125, 0.4375, -1.5, -2, 1, 0.1875, 1.5, -0.6875, -1.5625, -1.75, 0.9375, 1.125,
    -1.1875, 0.0625, -0.28125, -0.15625, 0.703125, -0.0625, 0.28125, -0.015625, 0.0703125, -0.484375, 0.1875,
    1.2109375, -0.46875, 0.484375, -0.1875, 0.12109375, -0.046875, -0.234375, -0.015625, 0.5859375, 0.0390625,
    0.234375, 0.015625, 0.05859375, 0.00390625, -0.921875, -1.13671875, -1.171875, -1.2421875, -0.84375, -1.19140625,
    1.6640625, -4.8125, 1.4140625, -2.91796875, -1.9375, 0.9375, 0.5625, 1.3125, -1.8125, -0.875, 0.4375, -1.9375,
    0.5625, 0.25, -1.125, -0.3125, -0.875, -0.84765625, 0.41015625, 0.24609375, 0.57421875, -0.79296875, -0.3828125,
    -0.84765625, 0.24609375, 0.109375, -0.4921875, -0.13671875, -0.3828125, 4.27734375, 2, 1.25, 1.125, 0, 0, 0,
    -0.75, 1.875, 1.6875, -0.9375, 0.3125, 0.5625, 0.25, 0.75, -1.125, -1.1875, -0.1875, 0.25, -2, -0.9375, -0.5,
    1.6875, -1.3125, -1.5, -1.8125, -1.1875, 0.5625, -1.5, -1.5, -0.75, -0.1875, 1.0546875, -0.3515625, -0.625,
    -0.84375, -0.73828125, -0.453125, -0.10546875, 0.75, 1.3359375, 3, 0.984375, 1.359375, 0, 1.11328125, 0,
    1.0546875, 0, -0.46875, 0, -2.53125, 0, -0.421875, 0, -1.5, -0.9375, 0.375, 1.25, -0.6875, 0.8125, 2.25,
    0.87890625, 0.140625, -3.75, 1.2890625, 0.609375, 1.125, 0.4375, 3, 1.25, 1.8125, 0.375, 2.5, 2.4375, 0.5625,
    0.25, 1.1875, 2.0625, -1.25, -0.1875, 1.25, 0.9375, -1.875, 0.25, 0.45, 0.1794871794871795, 5.333333333333333, 5,
    1.5263157894736843, 0.18181818181818182, -0.5, -0.07692307692307693, 2.2222222222222223, 3.75,
    -1.5789473684210527, 0.12121212121212122, 0.22499999999999998, 0.013806706114398421, -11.851851851851851, -18.75,
    2.4099722991689756, -0.02203856749311295, 0.9375, 0.875, 2.75, 0.5625, 2.8125, 0.625, 2.3125, 2.4375, 0.5625,
    0.4375, -2, -1.1875, 1.625, 1.625, 0.375, 1.25, 0.8125, 1.9375, -1.375, 0.75, -0.5625, 0.3125, -1.4375, 0.6875,
    1.5625, -0.5625, 0.875, 1, -0.6875, -1.3125, 1.3125, 1.25, 1.625, -1.1875, 0.40540540540540543,
    0.3783783783783784, 0.38461538461538464, 0.358974358974359, 1.6666666666666667, 1.5555555555555556,
    2.142857142857143, 2, 1.1891891891891893, 0.24324324324324326, 1.1282051282051282, 0.23076923076923078,
    4.888888888888889, 1, 6.285714285714286, 1.2857142857142858, 1.2162162162162162, 0.2702702702702703,
    1.1538461538461537, 0.2564102564102564, 5, 1.1111111111111112, 6.428571428571429, 1.4285714285714286,
    2.3256113256113258, 6.803946803946804, 0.19050919050919068, 0.38903738903738905, 6.1439461439461445,
    -0.598092598092598, 0.5960555149744341, 0.19855358316896782, -7.432098765432097, -53.63265306122449, 0.4375, 1.25,
    2.875, 2.75, 0.8125, 2.25, 1.5625, -0.9375, -0.0625, 1.75, -0.875, 2, 0.0625, 0.28, 0.8, 1.84, 1.76, 0.52, 1.44,
    -0.6, -0.04, 1.12, -0.56, 1.28, 0.04, -1.5983999999999996, 2.125, 2.4375, 3, 0, 0, 0, 0.8125, 2.6875, 2.6875,
    1.4375, 2.9375, 0.5625, 0.8125, 2.5, 0.25, 3, 0.4375, 1.1875, 0.6875, 2.375, 2.75, 1.5625, 2.25, 2.1875, -1.125,
    -0.8125, -1.75, 0.375, 0.6875, -1.875, 1, 5.75, 6.142857142857143, 4.2727272727272725, 0.9772727272727273, 0.25,
    -1.3846153846153846, -4, 0.25, -3.25, 0.5454545454545454, -0.8333333333333334, 1.3846153846153846, 0, 18.6875, 0,
    24.571428571428573, 0, -2.330578512396694, 0, -0.2443181818181818, 0, 0.20833333333333331, 0, 1.625, 1.875,
    1.5625, -1.625, 1.4375, 0.1875, 1, 1, 1, 0, 1.1102230246251565e-16, 0, 1, -1, 0, 3, 0, 0, 2, -4, -0.75, 1.625,
    -0.3125, 1.875, INFINITY, -INFINITY, 0, -0.75, -INFINITY, INFINITY, -0.15625, -0.46875, INFINITY, INFINITY, 0,
    -0.3515625, -1.875, 0.375, -0.125, 1, 0.8125, 0.375, -0.8125, -1.0625, -1.875, -0.25, -0.1875, 1.125, 0.625, 0.5,
    -1.6875, -0.5, -0.9375, -0.9375, -0.8125, 0.375, -0.125, 1, 0.8125, 1.125, 0, 0.5, -1.6875, -0.5, -0.9375, 0,
    0.625, 0, 0, 0, 0, -0.9375, -0.5625, 1.25, 1.0625, -1.5, -1.125, -1.25, -1.6875, 1.8125, 1.8125, -1.3125, -1.375,
    -1.1875, 0.75, -1.4375, 0.8125, -0.1875, -0.5, 1.75, 0.25, -0.375, 2, 0.6875, -0.4375, -1.1875, -1.1875, -1.8125,
    -0.3125, -0.4375, -0.75, 0.125, -0.8125, 1.8125, -0.25, -0.875, -0.5625, 1.25, 1.8125, 1.8125, 1.8125, 1.8125,
    -0.5625, 1.25, 1.0625, -1.5, 1.8125, 1.8125, 1.8125, 1.8125, 1.0625, -1.3125, -1.125, -1.25, 1.8125, 1.8125,
    1.8125, 1.8125, -1.125, -1.25, -1.875, 0.5625, -0.9375, -0.375, -0.5625, -1.3125, 0, 1.375, 0, -1.8125, -0.25,
    -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -1.5, -1.1875, -0.25, 1.3125, 0.9375, -1.5625, 0.5, -0.25, -0.1875,
    1.8125, 0.5625, 1.625, 1.0625, -1.1875, -0.25, 1.3125, 0.9375, -1.5625, 0.5, 0, -2, 1.75, 0.6875, 0, 0, 0, 0.375,
    -0.1875, 1.5625, -1, -0.375, -1.5625, -1.125, 1.8125, -0.6875, 0.8125, 0.3125, -0.125, 0.0625, -1.25, 1.1875,
    -1.1875, 2, -0.5, -0.625, -0.6875, 0.0625, 1.6875, 0.1875, -2, 0.375, -0.6875, 0.3125, 0.0625, 1.5625, 2, -0.625,
    0, 0.1875, 0, 0, 0, 0, 0, -0.6875, 0, 0.0625, 0, 1.6875, 0, 0, 0, -2, 0, -2, -0.75, 1.0625, 0.0625, 0.1875,
    -1.5625, -2, -0.75, 1.0625, 0.0625, 0.1875, -1.5625, 1, 2, -1, 0, 1, 1, 3, 0, -0.6875, 1, -1.3125, -0.5, 1, 2, 3,
    0, -0.34375, 1, 0, -0.25, -0.34375, 0, -1.3125, -0.25, -1.1875, 0.0625, -0.3125, -0.375, -1.1875, 1.375, -1.9375,
    0.8125, 1.4375, 0.1875, -0.375, 0.5, -0.4375, -1.875, 0.1875, -1.125, -0.75, 0.875, -1.9375, 0.0625, -0.3125,
    -0.375, -1.1875, 0.5, 0, -1.875, 0.1875, -1.125, -0.75, 0, -0.4375, 0, 0, 0, 0, 0.875, 1.4375, 1.4375, 0.6875,
    1.25, -1.5625, -0.6875, 1.3125, -1.5, 1.375, 1.3125, -1.5, -1.5, -1.4375, 1.0625, -1.1875, 1.625, 0.375, -1.6875,
    -1.75, 0.9375, -1.5, 0.875, -0.875, 1.125, -0.75, -1.125, 1.9375, 0.9375, -0.3125, 1.75, -1.6875, -1, 1.6875,
    1.4375, 1.3125, 1.3125, -1.5, -1.5, 1.375, 1.375, 1.3125, 1.3125, 0.6875, 1.25, -1.5, -1.5, 0.6875, 1.25, 0.6875,
    1.25, -1.5625, -0.6875, -1.5625, -1.5, -1.5625, -0.6875, -1.5625, -0.6875, 0, 0, -3.375, 0.9375, 1.625, 1.375, -3,
    0.75, 0.4375, -1.3125, 0.125, 0.875, -1.875, 2, -1.25, 0.9375, 1.875, 1.75, -1, -1.5, -1.8125, -0.875, 0.0625,
    0.125, 0.875, -1.875, 1.875, -1.25, 0.9375, 1.75, -1, -1.5, 0, -0.875, 0.0625, -1.8125, -1.9375, 0.6875, 0.5625,
    0, 0, 0, 1.5625, -0.0625, 1.625, 0.9375, -0.9375, -1.8125, 1.1875, -0.125, -1.5625, 1.625, 0.5, 1.875, -1.6875,
    -1.3125, -0.4375, -1.4375, 1.1875, -0.3125, 1.375, 0.3125, -0.75, 1.375, 1.6875, 0.375, 1.1875, -1.5625, -0.0625,
    -1.6875, -0.4375, -1.8125, 0, -0.75, 0, 0, 0, 0.375, 1.375, 0, 0.3125, 0, 0, 0, 1.375, 0, 1.6875, 0, 0, 0, -0.375,
    -0.375, -0.8125, -1.1875, -0.1875, -0.5625, -0.375, -0.375, -0.8125, -1.1875, -0.1875, -0.5625, 1, 2, -1, 0, 1, 1,
    3, 0, 1.6875, -0.3125, -0.625, -0.4375, 1, 1, -1, 0, 0.84375, 0, -0.625, -0.21875, 0.84375, -0.3125, 0, -0.21875,
    -0.75, -1.3125, 1.125, 0.8125, -0.3125, -0.625, -0.9375, -2, 1.75, 0.0625, 0.8125, 1.5, 0.75, 1.3125, -1.125,
    -0.8125, 0.3125, 0.625, 0.9375, 2, -1.75, -0.0625, -0.8125, -1.5, -0.5, 0.9375, 0.0625, 0.5, 0.1875, -0.5625, -2,
    1.5, 0.5625, -0.625, 1.4375, -1.125, 0.5, -0.0625, -0.1875, -0.9375, -0.5, 0.5625, 2, 0.625, -1.5, -1.4375,
    -0.5625, 1.125, 1.5625, -0.0625, -1.5625, 0.0625, 0, INFINITY, -1.1875, 0.0625, 0, -INFINITY, 1.1875, -0.0625,
    0.3125, 1.3125, -1.6875, 1.6875, 1.3125, 0.375, 1.0625, -1.5, -0.25, -0.25, -1.25, 1.5, 1.3668379411737963,
    3.715450737941104, 0.18498139990730428, 5.405948925141167, 3.715450737941104, 1.4549914146182013,
    1.4522653124971585, -5.573176106911656, -0.04624534997682607, -1.3514872312852917, -4.64431342242638,
    2.182487121927302, 0.375, 0.3125, 0.375, -1, 0.4375, -0.25, 1.8125, -1.4375, 1.1875, 1.5625, 0.4375, 1.4375,
    1.4549914146182013, 1.4549914146182013, 1.5488302986341331, 1.3668379411737963, 0.36787944117144233,
    0.7788007830714049, 2.6371719389954897, 2.1356842830840566, -2.091550158513664, 0.16094725551250602,
    1.839235979628033, 1.1195261256651445, -0.1875, 0.5625, 0.8290291181804004, 0.46632887897647524, -INFINITY, 0,
    -800, -0.625, 1.4375, -1.1875, 0, 1, 0, 0, 1.4375, 0, 0.875, 3, 0.6875, 1.3125, 0.3125, 1.8125, -0.8125, -1.75,
    0.625, -1.6875, -1.3125, -0.8125, -0.13353139262452263, 1.0986122886681098, -0.3746934494414107,
    0.27193371548364176, -1.1631508098056809, 0.5947071077466928, -0.9285714285714286, -0.5833333333333334,
    0.9090909090909091, -1.2857142857142858, -4.2, -0.4482758620689655, 0, 1, INFINITY, 1.4375, 1.5, -0.125,
    -INFINITY, 0, INFINITY, INFINITY, 1.5, 0, 2.9375, 0.8125, 2.875, 2.625, 1, 2.9375, 1.25, -1.6875, 1.0625, -1.625,
    -1.25, 1.0625, 1.713913650100261, 0.9013878188659973, 1.695582495781317, 1.620185174601965, 1, 1.713913650100261,
    0.3646624787447364, -0.9360565811300742, 0.3133141568291564, -0.5014858873767987, -0.625, 0.3099631069330259, 0,
    1, INFINITY, -0.1875, 0.8125, 0.625, 0, 1, INFINITY, -INFINITY, 0.40625, 0, 0.9375, -2, 0.375, 0.625, 0.0625,
    1.6875, -0.6875, -1.5, -0.8125, 0.3125, 0.5625, 0.125, 0.87890625, 4, 0.140625, 0.390625, 0.00390625, 2.84765625,
    -1.2890625, 6, -0.609375, 0.390625, 0.0703125, 0.421875, 0.4375, -0.6875, -1.5625, 1.875, -0.9375, 0.625, -0.5,
    -0.3125, 0.5625, -2, -0.625, -1.125, 0.19140625, 2.44140625, 0.87890625, 0.47265625, 3.515625, 0.390625, -0.4375,
    2.75, 0.9765625, -2.34375, -1.0546875, -1.40625, 0.6875, 1.8125, 0.47265625, 2.4921875, 0, -0.0625, 0, 0, -0.125,
    1.0625, 1.3125, 0.5, 1.625, -0.6875, -1.1875, 0.0625, 0.0625, 0.3125, -0.5, 1.9375, 0.125, 1.0625, 1.3125, 0.5,
    1.625, 0.6875, 1.1875, 0.0625, 0.0625, 0.3125, -0.5, -1.9375, -0.4375, 0.75, -0.9375, -0.0625, -0.1875, 1.6875,
    -1.8125, -1.125, -0.1875, -0.25, -0.0625, 0.4375, 0.4375, 0.9375, 0.1875, 0.75, 0.0625, 1.6875, 1.8125, -0.25,
    1.125, 0.0625, 0.1875, 0.4375, -1.8125, -0.0625, 1.8125, 0.0625, 0, -1, 1.375, -0.625, 0, 1, 0, 0.625, -1.9375,
    -0.6875, 1.1875, 0.5, -1.375, -0.4375, -1.8125, 0.1875, 0.6875, -0.1875, 0.0625, 0.375, -0.9593352933146825,
    -0.5963735554792423, 0.8298019099859595, 0.4621171572600098, -0.8798266996519848, -0.41157005567402244,
    -0.14441237843900825, 0.12081348418594631, 0.21410729325126185, -0.1474589499311114, 0.01411906116121851,
    0.3114787834771808, 0.9375, 0.3125, 0.125, -0.4375, -1.875, 0.9375, 1.8125, 0.8125, 1.9375, 0.5625, 1, -2,
    0.7340715196043415, 0.12435300177159621, -0.9540452601799487, 0.3027097293321085, -0.41157005567402244,
    0.7340715196043415, 0.8358144449417134, 0.5109563361193209, 0.7999357688971946, 0.830610089272482,
    0.173982930460837, -0.9222780082115458, 1.125, 0.375, 0.809301070201781, 0.1293869166638445, 0, 30, -30, -1.6875,
    0.8125, -0.25, 0, 1, -1, -1.6875, 0, 0, 0.75, 1, -0.0625, -1.5625, 1.5625, -1.5625, -0.0625, -0.6875, -0.5625,
    -1.5, 0.5, 1.3125, 0.679178699175393, 0.7310585786300049, 0.4843800842769844, 0.1732882059293266,
    0.8267117940706734, 0.1732882059293266, -0.013618437110113377, -0.13517070410351875, -0.1404877602559533,
    -0.2148891054226828, 0.07162970180756094, 0.18802796724484747, 1, -0.8125, -1.75, 0.625, 0.8125, -1.5, 1.5625,
    -1.625, 1.6875, -0.75, 0.1875, -1.1875, 0.7310585786300049, 0.14804719803168948, 0.6926419831347361,
    0.30735801686526387, 0.6513548646660542, 0.18242552380635635, 0.30720614568981536, -0.15966679975043702,
    -0.20495999092831468, 0.04257969467661008, 0.3592502994384833, -0.17711141183352028, -0.1875, -0.375,
    0.45326184801538616, -0.09293082943089868, 0, 40, -40, -800, -1.25, -0.3125, -0.125, 0.1875, 0.5, 1,
    4.248354255291589e-18, 0, -0.3125, 0, -5.310442819114486e-19, 0, 2, 1.875, 0.125, -1.125, 1.5625, -1.1875, 1.125,
    -1.9375, 0.625, 0.4375, 0.875, 1.625, 2, 1.875, 0.125, 0, 1.5625, 0, 1.125, -1.9375, 0.625, 0, 0.875, 0, -0.5,
    1.3125, 0.0625, 0.75, -1.6875, 0.375, 0.3125, -1.5625, -1.125, -1.1875, -0.3125, -1.8125, 0, 0.0625, 0, 1.3125,
    0.75, 0.375, 0, -1.1875, -1.5625, -0.3125, 0, -1.8125, -0.125, 1.4375, 0, 0, 0, -0.5, 0.5, 1.25, -0.375, 1.3125,
    0, 0, 0.5, 0, 0, 1.3125, 1.375, -0.375, -1.75, 1.5625, -0.375, -0.25, 0.5625, 0.375, 1.25, -1.6875, 1.375, 0.1875,
    1.097506819391979, -0.15275002501722384, -0.25908259655545657, 1.2917371782354272, -0.15275002501722384,
    -0.10945587477855048, 0.573568968045294, 0.11880133577852742, -0.09084868255619638, -1.7728109081200711,
    0.43560489785460055, 0.07055437095558795, 0.1875, 1, -1.4375, 0.4375, 1.8125, 2, -0.4375, -0.625, -0.6875, 0.1875,
    -0.0625, -1.5625, 0.1025134034971151, -0.2759033805179029, 1.558140547799224, 0.7310585786300049,
    0.2658526368018901, 1.7615941559557646, -0.25952656043127764, 0.17393822097590378, 0.019384805911032945,
    -0.044497934415457054, -0.7413500539269575, -1.7043503887263993, -0.4375, 1.875, -0.17164736319810991,
    0.5400619675362885, 0, 40, -40, 0.4375, 0.375, 0.4375, 0, 40, -1.6993417021166355e-16, 0.21875, 0.375,
    -7.248754448091274e-17, -1.5625, -0.0625, -0.8125, 0.25, -1.9375, -1.125, -1.5625, 1.6875, -0.25, -0.3125, 1.6875,
    0.6875, -0.09232050458229304, -0.029692645685672047, -0.16920506954658848, 0.14967658142073093,
    -0.05103787046021152, -0.14658133177890995, 0.1950257142270821, 0.7597075892532001, 0.00619044352740071,
    -0.21730417340113628, -0.15518656363149777, -0.0742958626855865, -0.4375, 1.1875, 1.125, 1.875, 0.9375, 1.125,
    0.8125, 0.875, -1.125, 0.8125, -0.0625, -1.1875, -0.14475754476788466, 0.97841866822109, 0.7741399576119916,
    1.0479506664018081, 1.8180068216901348, 0.97841866822109, 0.1399665307102436, 0.9071947921441504,
    0.9695583706907465, -0.06866111908811162, -1.2001005857891491, -1.315829217366013, 1.625, -1.0625,
    1.5403679209502683, -1.1911086191905425, 0, 10, -10, -1.0625, -0.0625, -0.3125, 0, 10, 0, -0.53125, -0.0625,
    2.404562070845756e-22, 1.4375, -0.75, 1.5625, -1.4375, -1.0625, 0.6875, -1.5625, 0.125, 0.9375, 0.1875, -0.9375,
    -0.25, 1.3290444073489247, -0.17003944483437966, 1.4699806126108914, -0.10845559265107522, -0.15317884911818075,
    0.5184027048205461, -1.7639377549987012, 0.00013271798282320224, 1.054850947869411, -0.02417253059984415,
    0.09066547630117797, -0.2426029122506841, 1.375, 0.1875, -0.6875, 0.125, -1.3125, 1.3125, -1.8125, -0.75, -0.4375,
    -0.25, 1.5625, 0.125, 1.25848855283428, -0.16909729517945388, -0.12449341316899237, 0.10769316959978953,
    0.06871719862422339, 1.1880065868310077, -2.045575994383766, -0.16196390440349284, -0.022191263247947735,
    0.9362740721293616, 0.05535279650842666, 0.14081508471669332, 0.4375, -1.3125, 0.29273192310085266,
    -1.0862825433956265, 0, 10, -10, -1.1875, -0.6875, 0.0625, 0, 10, 0, -0.59375, -0.6875, 0, 1.875, 0.125, 1.5625,
    -0.6875, -0.25, 0.875, -1.8125, 1.625, 1.375, -1.75, 3.515625, 0.015625, 2.44140625, 0.47265625, 0.0625, 3.28125,
    -0.453125, 5.078125, -1.890625, 0.875, -1.875, 1.5625, -1.125, 1, 1.3125, 1.625, 1.0625, 1.5, 0.5625, -0.9375,
    -6.591796875, 3.814697265625, -1.423828125, 1, 2.260986328125, 17.138671875, 7.781982421875, 5.6953125, 1.6875,
    -4.844970703125, -0.125, 1.3125, 1.9375, 0.25, 2, -1.4375, 0.0625, -1.375, -1.75, 1.625, -0.125, 1.3125, 1.9375,
    0.25, 2, -1.4375, 0.0625, -1.375, -1.75, 1.625, -2, 0.6875, 1.1875, 0.125, 1, 1.75, -1.375, -2, -0.5, 0.125, 1, 1,
    1, 1, 1, 0, 0, 0, 0, 0, -0.6875, -0.4375, -2, -1.0625, -1.1875, 0.6875, 2, -0.75, -0.3125, -1.625,
    -1.4545454545454546, -2.2857142857142856, -0.5, -0.9411764705882353, -0.8421052631578947, -1.4545454545454546,
    -10.448979591836734, 0.1875, 0.2768166089965398, 1.1523545706371192, 1.1875, -1.125, -1.8125, -1.3125, -1.5,
    0.4375, 1.625, -0.4375, 0.3125, 0.5, 0.7091412742382271, 0.7901234567901234, 0.30439952437574314,
    0.5804988662131519, 0.4444444444444444, -0.5225251494386937, 2.2825788751714677, -0.14695149452622083,
    0.27642803153007234, 0.2962962962962963, 0.5, 1.5, 2.125, 2.625, 2.0625, -0.3125, -1.6875, -1.5625, 0.1875,
    -1.6875, 0.7071067811865475, 1.224744871391589, 1.4577379737113252, 1.620185174601965, 1.4361406616345072,
    -0.22097086912079608, -0.6889189901577689, -0.53593307857034, 0.057863756235784464, -0.5875120888504802, 2.0625,
    1, 3, 2.5625, 0.5, 0.0625, -0.5, 0.6875, -1, -0.375, 6.109207736406165, 1, 15.588457268119896, 10.511378753051385,
    0.1767766952966369, 0.462818767909558, -1.25, 8.930886976527024, -10.255003661513546, -0.33145630368119416, 1,
    0.6875, 1.6875, 2.625, 0.375, 0.5, -0.1875, 1.5625, 0.0625, -1.0625, 1, 1.2060453783110545, 0.769800358919501,
    0.6172133998483676, 1.6329931618554523, -0.25, 0.16446073340605288, -0.35638905505532453, -0.007347778569623424,
    2.3134069792952237, 0, 1, -1, -0.5625, -1.8125, 1.5625, 1, 1, 1, 0, 0, 0, 0, 1, -1, 0.0625, 1.125, 0.1875, 0, 1,
    -1, 0.0625, 1.125, 0.1875, 0, 1, -1, -0.625, -0.5, 1.6875, 0, 1, 1, 0, -1, -3.375, 0, 1, -1, 2, 1.125, 0.25, 0, 1,
    -1, 0, 3.375, 0.75, -2, -0.9375, 0, 0.4375, 1, 0.3125, -1.4375, -1.875, 1.9375, 0.25, -1, -0.9375, 0, 0.4375, 0.5,
    0, -1.4375, -1.875, 1.9375, 0, -1.625, -0.8125, 1.375, -1.125, -1.4375, 0.25, 1.375, -1.4375, 0.4375, -1.375, -2,
    1.75, 0.3, 0.3, 1.375, 0.3, 0.3, 0.3, 0, 0, 0.4375, 0, 0, 0, 0.8125, 0.9375, 1.875, 1.5, 2.375, 1.1875, 0.0625,
    0.0625, 0.125, -1.0625, -0.9375, 0.625, 2.3125, 2.4375, 3.375, 3, 3.875, 2.6875, 0.0625, 0.0625, 0.125, -1.0625,
    -0.9375, 0.625, 2.4375, 1.1875, 1.75, 2.9375, 3, 2.6875, 0.1875, 1.0625, -0.3125, -1.75, 0.5625, 0.6875, 3.9375,
    4.4375, 2.6875, 4.5, 3.25, 4.1875, 0.1875, -0.3125, 0.5625, 1.0625, -1.75, 0.6875, 1.25, 1.625, 1.6875, 1.8125,
    0.75, 1.875, 0.6875, -0.5, -0.375, 0.3125, 1.3125, 1.5, -0.25, 0.125, 0.1875, 0.3125, -0.75, 0.375, 0.6875, -0.5,
    -0.375, 0.3125, 1.3125, 1.5, 0.5625, 1.125, 1.5, 1.5, 0.5, 2, 1.6875, 0.6875, 1, -0.4375, -1.9375, 0.5, -0.9375,
    0, -0.375, -1, 0, 0.5, 1.6875, 1, -1.9375, 0.6875, -0.4375, 0.5, 2.5625, 1.5625, 1.125, 2.25, 2.5625, 2.875,
    0.6875, 0.0625, 1.25, -1.625, -1.9375, -1.5, -1.0625, -0.0625, 0.375, -0.75, -1.0625, -1.375, -0.6875, -0.0625,
    -1.25, 1.625, 1.9375, 1.5, 2.3125, 2.75, 2.8125, 2.75, 1, 1.1875, 0.5, 1.75, -0.4375, 0.3125, -1.4375, 0.5625,
    -0.8125, -1.25, -1.25, 0.5, -1.3125, 0.3125, -0.5, 0.4375, 1.4375, -1.75, -0.3125, -0.5625, 0.5625, 1.75, 1.6875,
    2.1875, 1.75, 2, 0.5, -0.5625, 0.1875, -2, 1.625, -0.875, -0.84375, -2.625, -2.53125, -3.28125, -2.625, -3, -0.75,
    0.84375, -0.28125, 3, -2.4375, 1.3125, 1.6875, 2.8125, 1, 1.6875, 2.6875, 2.375, 1.75, -1.1875, 0.75, -0.625,
    -0.6875, -1.125, -2.53125, -2.53125, -4.21875, -4.03125, -1.5, -3.5625, -2.625, -1.125, 1.03125, 1.78125, 0.9375,
    1.6875, 2.75, 2, 2.625, 2.5, 0.875, 2.375, 0.1875, 0.5625, 0.9375, 1.25, -1.3125, -1.875, 0.9166666666666666,
    0.6666666666666666, 0.875, 0.8333333333333334, 0.2916666666666667, 0.7916666666666666, 0.0625, 0.1875, 0.3125,
    0.4166666666666667, -0.4375, -0.625, 0.4375, 0.6875, 2.75, 1.0625, 1.75, 2.25, 0.5625, -1.875, -1.5625, 1.6875,
    1.375, -1.5625, 0.14583333333333334, 0.3541666666666667, 0.22916666666666666, 0.5833333333333334,
    0.9166666666666666, 0.75, 0.1875, -0.5208333333333334, 0.4583333333333333, -0.625, 0.5625, -0.5208333333333334,
    1.5, 1.375, 2.3125, 2.25, 1.875, 0.25, 1.9375, 1.25, -0.625, -0.875, 1.0625, 0.5, 1, 1.0909090909090908,
    0.6486486486486487, 0.6666666666666666, 0.8, 6, -1.2916666666666665, -0.9917355371900827, 0.17531044558071587,
    0.25925925925925924, -0.4533333333333333, -12, 2.75, 0.25, 0.4375, 2.1875, 2.25, 1.8125, 2, -0.0625, 0.0625,
    0.6875, 1.6875, -0.75, 0.5454545454545454, 0.6857142857142857, 6, 0.6666666666666666, 3.4285714285714284,
    0.8275862068965517, -0.39669421487603307, -1.5, -13.224489795918366, 0.019591836734693877, -0.2037037037037037,
    0.342449464922711, 1, 2, 3, -1, 2, -1, 0, 0, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0,
    1, 2, 3, 3, 2, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0.5, -1, 0, 0, 1, 1, 0, 1, -3, 0, 1, 1, 0, 1, -3,
    7, 0, 1, -3, 7, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1.8125, -0.6875, 0.1875, -1, -0.25, 1.1875, 0.125, -1.3125, 1.25,
    1.1875, -0.9375, -0.625, -0.3125, 0.625, 0.3125, -0.5, 0.9375, 0.625, 1.8125, -1.3125, 0.1875, 1.1875, -0.9375,
    1.1875, -0.3125, 0, 0.3125, 0, 0, 0.625, 0, 0.625, 0, -0.5, 0.9375, 0, 1, 0, 1, 1.0625, 1.9375, 1.625, 1.375,
    -1.375, 0.375, -1.3125, 0.4375, -0.375, 1.0625, 1.625, 1.0625, 1.9375, 1.625, 1.9375, 1.75, -1.6875, -0.9375,
    -0.0625, -1.5, -1.3125, 0.875, -2, -1.5625, 0.5625, -0.75, 0.5625, -1.6875, -0.6875, 1.0625, 1, 0, 1, 0, 0, 1,
    1.5, -0.4375, 0.0625, 0.6875, -0.9375, 0.3125, -0.8125, 1.125, -0.8125, -1.375, -0.4375, 0.75, -2.5, -1.5, -2.5,
    0.875, -2, -2.5, -2.5, -0.75, -2.5, -1.6875, -0.6875, -2.5, 0, -0.4375, 0, 0.6875, -0.9375, 0, 0, 1.125, 0,
    -1.375, -0.4375, 0, -0.625, -0.625, 2, -0.3125, 0.1875, -0.5625, 1, 0, 1, 1, 1, 1, 0.625, -1.375, -1.3125, 0.3125,
    -1.625, -1.1875, -INFINITY, 2, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0, -1.375, 0, 0, 0, -2, 0.8125,
    1.4375, 0.75, -0.1875, 1.1875, 0.25, 2, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.75, -1.25, -1.5625, 2, -0.1875,
    -0.25, -1.9375, -0.5, -1.9375, -1.9375, -1.9375, -1.9375, -1.9375, -1.9375, -0.75, 1, 2, 0.625, 1.1875, -0.5,
    -1.25, -0.5, 2.25, 1.3125, -1.25, -1.25, -1.25, -0.5, -0.5, -0.5, 0.125, 0.3125, -1.25, -0.8125, 0.5625, 1.8125,
    -1.0625, -0.75, 1.9375, -1.75, -0.25, -1.5625, -1.6875, -1.0625, -0.625, -1.375, -1.875, 0.5625, -1.6875, -1.6875,
    -1.0625, -1.0625, -0.625, -0.625, -1.6875, -1.6875, -1.0625, -1.0625, -0.625, -0.625, -0.75, 1.125, -1.875,
    0.6875, 0.25, -0.9375, 1.125, 1.75, 0.0625, 0.125, 0.5625, 0.9375, -0.25, -1.125, -1.875, -0.25, -2.375, 0.875,
    1.75, 2.8125, -0.25, -1.125, -0.25, -1.125, -0.25, -1.125, -1.875, -0.25, -1.875, -0.25, -1.875, -0.25, -0.625,
    -0.625, 0.6875, 0.4375, -0.75, -0.375, 1.875, 0.25, 1.9375, -0.375, 0.75, 1.3125, -1.0625, 0.5, 3.875, 0.625,
    -1.0625, 0.5, -1.0625, 0.5, -1.0625, 0.5, -1.0625, 0.5, -1.0625, 0.5, -1.0625, 0.5, 1.625, 0.6875, -1.8125,
    -0.625, 4.875, 2.0625, -5.4375, -1.875, -0.6875, -1.3125, -0.6875, -1.3125, -1.5, -1.4375, 1.5625, -0.8125,
    -0.6875, -0.625, 1.1875, -0.5833333333333334, 0.19791666666666666, 0.19791666666666666, 0.19791666666666666,
    0.19791666666666666, 0.19791666666666666, 0.19791666666666666, -0.875, 1.75, -1.625, 0.5625, 0.9375, 0.8125,
    0.375, 0.2604166666666667, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 1.875, 0.8125, 1.5, 0.5, -1.25,
    -0.1875, 1, -1.625, 1.3958333333333333, -0.3125, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333,
    -0.5416666666666666, -0.5416666666666666, -0.5416666666666666, -0.4375, -1.4375, 0.375, -0.0625, 0.4375, -1.4375,
    0.5, -1.4375, 0.9375, -1.125, 0.6875, 1.375, -1.125, 1.8125, 0.0625, -0.703125, 0.03125, 0.265625, -0.28125,
    -0.28125, 0.453125, 0.453125, 0.015625, 0.015625, -0.28125, -0.28125, 0.453125, 0.453125, 0.015625, 0.015625,
    1.3125, -0.125, -1.9375, -1.875, 1.0625, -1.625, -1.5, 0.9375, 1.1875, -1.0625, 0.75, 1, 1.3125, 1.125, -1.9375,
    -1.875, 0.14583333333333334, -1.2083333333333333, 0.14583333333333334, 0.2916666666666667, 0.4375, 0.375, 0.4375,
    0.375, 0.4375, 0.375, -0.6458333333333334, -0.625, -0.6458333333333334, -0.625, -0.6458333333333334, -0.625,
    0.0625, -1.6875, -1.4375, -0.9375, 1.375, 1.8125, 0.0625, 1.625, 0.75, -0.375, -1.5, -0.5, -0.875, -0.625,
    -0.11458333333333333, -0.010416666666666666, -0.14583333333333334, -0.10416666666666667, -0.14583333333333334,
    -0.10416666666666667, -0.14583333333333334, -0.10416666666666667, -0.14583333333333334, -0.10416666666666667,
    -0.14583333333333334, -0.10416666666666667, -0.14583333333333334, -0.10416666666666667, 0.375, 0.0625, -1.5,
    1.875, 0.375, 0.0625, -1.5, 1.875, 0.1875, -1.125, 0.1875, -1.125, -0.0625, -1.3125, 0.5625, 1.25, 1.1875,
    -0.6875, 0.8125, 1.25, 0, 0, 0, 0.8125, 0, 0, -1.5625, 1.625, -1.4375, 1.5, 1.125, -1.25, 0.875, 1.625, 0, 0.875,
    0, 0, 0, 0, 0.375, -1.1875, 0.6875, -1, -0.625, 1.875, -0.25, 0.9375, 0.6875, 1.875, 0, 0, -0.25, 0, 0, 0.9375,
    1.9375, 0.5625, 0.3125, 0.5, 1.8125, -1.8125, 1, -0.5625, -0.1875, -1.25, 1.9375, -1.8125, -1.5625, -1.1875, -1.5,
    1.9375, 0.5, 1.9375, -1.5625, 0, 0, -1.1875, 0, 0, 0, 0, 0, 0, -1.5, 0, 1.6875, -1.0625, -1.625, -1, -1.75, 1.375,
    -0.75, 0.375, 1.0625, -1.375, -1.5, 1.4375, -0.6875, -1.8125, 1.125, 0.125, 1.6875, 1.375, 1.0625, 1.4375,
    -0.6875, 0, 0, 0, 0, -1.8125, 0, 0, 1.125, 0, 0, 0.125, 0.5625, 1.5, -1.9375, 0.4375, 0.25, -1.5, 1.25, -1.6875,
    1.9375, -0.75, 0.75, 0.875, -0.375, -1.625, 1.9375, 1.5, 0, -1.625, 0, 0, 0, 0, 0, 0, -0.375, 0, 0, 0, -0.5625,
    -0.5625, -0.1875, 1.0625, -0.5625, -0.5625, -0.1875, 1.0625, 1.625, 1.875, 1.625, 1.875, 1.375, -0.6875, 0.375,
    -0.8125, 0.4375, 0.5625, -0.25, -0.8125, 0, 0, 0, -0.25, 0, 0, -1.0625, -2, 1.75, -0.75, 0.8125, 0.625, 0.0625,
    -2, 0, 0.0625, 0, 0, 0, 0, 1.5625, 1.625, -1.0625, 1.8125, 0.3125, 1.75, 0.5625, 1.8125, -1.0625, 0.3125, 0, 0,
    0.5625, 0, 1.8125, 0, 1.0625, -1.5, 1.25, -1.375, 1.25, -2, -0.8125, -1.4375, -0.875, 0.5625, -0.4375, 0.4375,
    -1.0625, -1.1875, -1.4375, -1.5, -1.375, -2, 0, -1.0625, 0, -1.1875, 0, -1.4375, 0, 0, 0, 0, 0, 0, -1.9375, 2,
    -0.75, -1, -1.375, 1, 1.0625, -0.375, -1.5625, 1.5625, -0.8125, 0.75, 0.0625, 0.625, -0.4375, -1.875, -1.9375, -1,
    -1.5625, -0.375, 0.0625, 0, 0, 0.625, 0, 0, 0, -1.875, -0.4375, 0, 0, 0, 0.5625, -1.3125, -0.25, -0.5625, -1.0625,
    1.75, -0.5625, -0.5625, 1.25, 0.5625, -0.3125, 1.8125, 1.8125, 0.5625, -1.0625, -1.3125, 0, 0.5625, 0, 0, 1.8125,
    0, 0, 0, 0, 0, 0, 0, 1.625, -1.5, -0.125, 0.375, 1.625, -1.5, -0.125, 0.375, 1.4375, -0.25, 1.4375, -0.25, 1.9375,
    1.8125, 0.625, 1.25, -1.3125, 0.25, 1.9375, 2.994675673718432, 0.673156664274416, 0.5940586711763505,
    0.18117765831217608, 0.3384844277187595, 0.02610111640388492, 0.12452146211441271, 1.6875, 0.375, 0.0625, 0.25,
    -1.1875, 1.875, -1.25, 2.774790178780542, -0.4214110198154891, -0.11342123729758066, -0.08298074986137578,
    -0.10009389060242732, -0.023774382882339712, -0.5083187195407873, -0.375, -0.8125, -0.8125, -0.875, 0.5625,
    1.8125, -0.125, 1.1875, 0.45411805584996845, 2.115973467623853, -0.05455425338421521, -0.035222873307892394,
    -0.035222873307892394, 0.05965822747990465, 0.25117051931320755, 0.8766712532068874, 0.5625, -1.625, 0.4375,
    1.6875, 1.5, -0.9375, -0.9375, 0.0625, 1.3125, 0.375, 0.9375, -2, -0.4375, 0.375, 0.5625, 1.226145097556259,
    2.495287694498904, 2.0231647236029087, -0.22529972080913652, -0.025277928109886702, 0.04790109342839695,
    0.167191244102527, 0.33336114121373256, 0.029128771890649968, -0.05027116278553916, -0.1366511882954377,
    0.11490874957939115, 0.04499891288968484, 0.18994345269628465, 0.010066634199332743, 1.8125, 1.4375, 1.75, 0.5625,
    -2, -0.9375, -0.375, -1.375, 1.625, -1, -0.25, 1.125, -0.75, 0.125, -1.5625, -1.875, 2.486212515201522,
    1.8495278652898857, 1.8786263925829143, 1.3085857297992836, -0.3823592804501151, 0.08278822755641353,
    -0.35919330274279937, 0.034511267744770494, -0.00844741680708569, 0.00770050469881598, -0.16409015280733846,
    -0.12809577273164618, -1.2124713443755266, -0.18637824957342952, -0.18593850281713473, -1.5605259776949245,
    -0.3125, -1.1875, 0.0625, 2, 1.3125, -1.5, -1.4375, -1.625, -1.8125, 0.25, 1.3125, -1.25, -1.3125, -0.25,
    2.264652451031571, 2.2705381222308305, -0.09973698224401478, -0.007872870973838472, -0.1451164528849695,
    -0.190742203342145, -0.5065061893388964, -0.0057599154491405945, -0.032379857372395314, -0.005083107543015733,
    -0.02225432882082812, -0.03314602485719121, -0.5065061893388964, -0.007395877834668911, -0.5625, 1.75, 1.6875,
    -1.5, 0.5361122886681098, 2.84861228866811, 1.6875, -1.4999999999999993, 0.6875, -0.125, 0.6875, -0.125, -0.5625,
    1.0625, 0, 0, -1.75, 1.75, NAN, NAN, 1, 3, 3, 1, 2, 2, 2, 2, 0.1875, -0.1875, 3, 2, 0, 0.09375, 0.09375, 0,
    -0.046875, -0.046875, -0.046875, -0.046875, 1, 3, 3, 1, 2, 3, 0, 1, 1, 0, 1, 3, 3, 1, 2, 2, 2, 2, 0.8125, -1.5, 1,
    2, 0.40625, 0, 0, 0.40625, -0.375, -0.375, -0.375, -0.375, 1, 3, 3, 1, 1.4375, 1, 0.71875, 0, 0, 0.71875,
    -INFINITY, -INFINITY, -INFINITY, 1, 800, 801, 0.875, 1.6875, 0.5, -INFINITY, 1, 801.3132616875182, 0, 0, 0,
    1.6875, 0.13447071068499974, 0.3655292893150084, 0.375, -2, -0.9375, 1.5625, 0.5625, -0.4375, -0.375, -1.6875,
    -0.4375, -0.4375, 1.802734375, 0.639404296875, -0.13671875, 0.3828125, 0.150390625, -0.396484375, -0.22900390625,
    -0.01025390625, -0.02392578125, 0.26318359375, -0.5, -1.875, -0.6875, -0.8125, -1.5625, 1.4375, 1.8125, -0.3125,
    1.1875, 1.3125, 0.3815104166666666, 2.47265625, 0.37109375, -0.7174479166666666, 0.22265625, 0.12369791666666666,
    -1.66796875, 0.95703125, 1.28515625, -0.57421875, -1.3125, 1.1875, 0.5625, 1.25, -1.625, -1.75, -0.375, 1.3125,
    0.4375, 1.3125, 1.719921875, 2.432421875, -0.6070312499999999, 0.26796875, 0.04921875, 0.28984374999999996,
    -1.06640625, -1.19765625, 0.24609375, 2.01796875, -1.375, -1.375, 1.3125, 0.5, 1.875, 1.4375, -1.625, 0.5625,
    1.5625, -1.625, 0.5, 0.1875, 0.9375, 0.625, -0.5625, 1.0348307291666665, 2.0963541666666665, 0.6223958333333334,
    -0.263671875, -0.263671875, 0.3645833333333333, 0.026041666666666664, -0.328125, -0.1640625, -0.419921875,
    0.947265625, 0.46874999999999994, -0.8593749999999999, 0.1875, 0.3046875, 1.6875, 1, -0.5625, 2, 0.3125, -1.3125,
    0.5625, 1.3927951388888886, 0.21874999999999997, 0.08984375, -0.20312500000000003, 0.27734375,
    -0.03906250000000001, -0.34375, 1, 3, 3, 2, 2, -1, 1, 0, 0, 1, 3, 3, 2, 2, -1, 1, 0, 1, 3, 3, 2, 2, -1, 1, 0,
    -1.875, 1.375, 0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125, 1.5625, 1.1875, 1.6875,
    -0.9375, -0.625, 1.6875, 1.75, -0.125, 1.625, 0.1875, -0.625, -2, -1.875, 1.375, 0.125, 0.1875, 0.25, 1.5,
    -1.9375, 1.625, -0.625, -1.375, 1, -1.8125, 1.5625, 1.1875, 1.6875, -0.9375, -0.625, 1.6875, 1.75, -0.125, 1.625,
    0.1875, -0.625, -2, -0.25, -1.1875, -1.0625, 1.0625, -1.625, -0.625, -1.625, 1.75, 1.3125, 0.875, -0.0625, 1.125,
    -0.25, 1.0625, -1.1875, -1.625, -1.0625, -0.625, -1.625, 1.3125, -0.0625, 1.75, 0.875, 1.125, 1.0625, 1.5625,
    -0.1875, 1.25, -1.0625, -2, -1.6875, -1.5625, 0.3125, -0.25, 1.4375, -0.4375, -1.9375, -0.8125, 0.31640625,
    -1.953125, -0.33203125, 0.5, 0, 0, -2.42578125, 0.68359375, -0.60546875, 0.203125, -0.26953125, -0.546875,
    2.05859375, 1.625, 1.375, -1.0625, -0.4375, 0.0625, 1.125, -0.75, 0.5625, 1.375, -1.125, -1.875, -1.5, -1.0625,
    -1.625, -1.75, 0.4375, -0.25, 1.5, -1.1875, -1.75, 1.375, 1.9375, -0.0625, -1.125, 1.8125, -0.25, -0.25, 0.25,
    1.1875, 1.5625, 1.6875, -1.25, -0.8125, 0.8125, 1.1875, -1.625, 0.25, -2.234375, -0.984375, -0.19140625, 0.28125,
    1.6875, 1.78125, 1.859375, 1.890625, 0.12109375, 0.1171875, 0.84375, -1.92578125, 0.40625, 2.1875, 0.109375,
    1.57421875, 2.34375, 1.828125, 0.4375, -1.1171875, -0.296875, -0.07421875, -2.00390625, 0.453125, -0.34375,
    -0.140625, -0.109375, -1.3359375, 1.7578125, -2.53125, 1.328125, -1.1171875, 0.05078125, -2.2265625, 1.21875,
    -0.265625, 2, -0.5625, 1.375, 0.5625, -1.1875, -1.5, -1.625, 0.1875, -1.25, 0.5625, -1.8125, 1.5625, -1.4375, -2,
    0.9375, -0.125, 1.75, 0.3125, -1.6875, -1.4375, 1.625, -0.5625, -0.0625, -0.25, 1.875, -1.3125, 1.0625, 1, 1.25,
    -1.4375, 1.1875, -0.9375, -1.5625, 1.0625, 0.0625, -1.375, -2.875, -2.75, -1.11328125, 0.203125, -2.1875,
    -0.56640625, 0.94921875, -0.80859375, -2.4375, -0.10546875, -0.03515625, -0.390625, -2.6953125, -2.00390625,
    2.625, 1.34765625, 0.99609375, -2.5390625, -0.125, -0.59765625, 2.1875, -0.00390625, -0.44921875, 0.34375, 3.75,
    -1.8046875, -1.26171875, -1.625, -1.5625, 2.60546875, -0.66796875, -0.52734375, 2.34375, 0.19921875, 0.03515625,
    -2.1484375, 1.25, 0.5, -0.125, -1.5, -1.75, 1.4375, -0.875, -1.25, -0.4375, 0.5625, -1.1875, -0.75, -1, 0.125,
    1.9375, 0.1875, 1.5625, 0.0625, -0.4375, 1.75, 0.5, -1.5, 1.4375, -0.4375, -1.1875, -1, 0, 1.9375, 0, 0.1875, 0,
    1.5625, 0, 0, 0.0625, 0, -0.4375, 0, 1.75, 0, -0.875, -1.125, 1.5, 0.6875, -0.25, -1.4375, -0.125, -1.9375, -1.25,
    -0.875, -1.3125, 0.25, -0.25, -1.4375, -0.125, -1.9375, 0, 0, 0, 0, -1.25, -0.875, -1.3125, 0.25, 1.6875, 1.6875,
    1.3125, 1.1875, -0.375, 1.5625, -1.375, -1, 0, 0, 0, 0, 0, 0, 0, 0, -0.8125, -0.1875, -1.625, 0.5625, -1.0625,
    -1.1875, -0.6875, 0.15234375, 0.3046875, -0.9140625, 0.19921875, 2.79296875, -0.1640625, 1.1171875, 0.0625, 0.75,
    2, 0.625, 1.875, -1.125, 1.6875, -1.3125, -1.5625, 1.75, -1.1875, -1.1875, -0.25, 1.25, -0.75, 0.3125, 1.875,
    -1.125, -1.1875, -1.1875, 0, 0, 0, 0, -0.25, 1.25, 0, 0, 0, 0, -0.75, 0.3125, 1.25, 1.25, 1.5625, 1.5625,
    1.953125, 1.953125, 1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, 1.5, -0.125, -1.1875, -0.4375, -0.375, -1.8125,
    1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, 1.5, -0.125, -1.1875, -0.4375, -0.375, -1.8125, -0.6875, -1.3125,
    0.125, -1.625, 1.625, 0.3125, 0.0625, -1.125, 1.4375, 1.1171875, -2.1328125, 0.0390625, -0.1015625, -1.828125,
    0.44921875, -0.04296875, 1.4765625, 0.1796875, 1.9375, 0.1875, 1.625, -0.1875, 0.75, 0.0625, 1.875, 0.5625, 1,
    0.5, -0.6875, -0.75, -1.5625, 0.5, 1.9375, 1.25, 0.125, -0.8125, -1.8125, 1.5625, -1.0625, -1.3125, 0.625, 1.75,
    0.875, -0.375, 1.6875, -1.5, -0.125, 0.75, 0.8125, 0.875, 1.0625, -1.25, 3.6328125, 1.08984375, 1.9375, 0.96875,
    0.3515625, 0.10546875, 0.1875, 0.09375, 3.046875, 0.9140625, 1.625, 0.8125, -0.3515625, -0.10546875, -0.1875,
    -0.09375, 1.40625, 0.421875, 0.75, 0.375, 0.1171875, 0.03515625, 0.0625, 0.03125, -3.0234375, 4.0546875,
    -4.23828125, 2.84375, 2.5703125, 2.453125, -2.71484375, -0.078125, -4.921875, -0.76171875, -1.875, 1.625, -0.625,
    -0.6875, -1.6875, -0.625, -1.5, -0.75, -1.5625, 1.875, 0.9375, -1.5625, 1.6875, 1.4375, 0.8125, 1.5, 1.5625, 1.25,
    0.125, -0.4375, 0.0625, 1.625, 0.6875, 1, 1.5, -1.8125, 1.171875, 1.2890625, 3.1640625, -1.015625, -2.4375,
    -1.21875, 2.9296875, -3.515625, -1.7578125, -2.5390625, 2.7421875, 2.3359375, -0.58203125, -2.27734375,
    -1.5234375, -2.8125, -2.9296875, 2.03125, 0.203125, -0.7109375, -0.1171875, -3.046875, -1.2890625, 1.625, 2.4375,
    -2.9453125, 1.3125, 1.75, -0.875, 0, 0, 0, -0.125, 1, 1.3125, 1.4375, -0.25, -1.3125, 1.9375, 0.375, -0.6875,
    1.3125, -1.6875, -1.1875, -0.125, 1.4375, 1, -0.25, 1.3125, -1.3125, 1.9375, -0.6875, -1.6875, 0.375, 1.3125,
    -1.1875, 0.9375, 1.75, -0.4375, 0.4375, -1.875, 0.1875, 0.87890625, 3.0625, 0.19140625, 0.8203125, -6.5625,
    -0.1640625, 0.9375, 1.375, -1.1875, -0.4375, 2, -1.9375, 0.87890625, 1.890625, 1.41015625, -0.41015625, 2.75,
    2.30078125, 2, 1.125, -1.1875, 1.875, -1.75, -0.8125, -1.5625, -1.6875, 1.125, 1.1875, -1.9375, 0.0625, -1.1875,
    1.5625, 1.6875, 1.6875, 2, -1.1875, 1.875, -1.75, 1.125, -0.8125, -1.5625, -1.6875, 1.125, -1.1875, 1.1875,
    -1.9375, 0.0625, 1.5625, 1.6875, 1.6875, 0.0625, -0.4375, 1.5625, 1, 1.75, -0.3125, -1.375, 0.9375, 2, -0.625,
    1.75, -2, -1.6875, 1, 0.0625, 1.5625, -0.4375, 1, 1.75, -0.3125, 1.75, -0.3125, -1.375, 2, 0.9375, -0.625, 0.0625,
    -1, -0.4375, 1.0625, 0.75, 0.0625, -0.4375, 0.875, 0.9375, 1.125, -1.25, -0.375, -0.8125, -1.0625, 1.875, -0.125,
    0.75, -0.375, -0.3125, -0.25, -1.9375, 0.875, 0.875, -0.5, -0.8125, 1.6875, -0.4375, 0.9375, 1.0625, 1.125, 0.75,
    -1.25, 0.0625, -0.375, -0.4375, -0.8125, 0.875, -1.0625, 1.875, 0.75, -0.3125, -1.9375, 0.875, -0.8125, -0.125,
    -0.375, -0.25, 0.875, -0.5, 1.6875, 0.9375, 1.0625, -1, -1.375, 0.9375, 1.0625, -1, -1.375, 1.875, -1.125,
    -0.4375, 1.625, 1.5, -0.9375, 1.75, 0.4375, -0.875, -1.625, -1.5625, 1.6875, -0.25, -1.3125, -0.8203125,
    -1.828125, -0.41015625, -1.53125, 0.68359375, 2.7421875, -2.9296875, -1.8984375, 0, -0.109375, 1.1484375,
    0.234375, -2.296875, 0, 0.9375, -0.875, 0.125, 1.875, -1.5, 2, 0.9375, -1.8125, -0.375, -0.1875, -1.9375, -1.75,
    -1.5, -0.1875, 0, 0, 0, 0, -1.9375, 0, 0, 0, 0, -1.75, 1.875, -0.75, -2, 1.0625, -0.875, -0.375, -1.125, -0.375,
    2, -1, -1.25, -1.625, 0.3125, -1.1875, -0.3125, 0.1875, -1.1875, 0.375, 1.9375, -0.875, -0.4375, 2, 1.125,
    -1.8125, 0.375, -1.5, 2, -0.1875, 0.0625, 0.125, 1.9375, 2, -1.4375, -0.25, -0.3125, 1.5625, 1.875, 0, 0, 1.0625,
    -0.875, 0, -1.125, -0.375, 2, -1, 0, 0, 0.3125, -1.1875, 0, 0.1875, -1.1875, 0.375, 1.9375, 0, 0, 2, 1.125, 0,
    0.375, -1.5, 2, -0.1875, 0, 0, 1.9375, 2, 0, -0.25, -0.3125, 1.5625, -0.4375, -0.125, 1.3125, -1.75, -0.75, 0.5,
    1.125, -1.3125, -1, -1.25, 1.3125, -0.5625, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125, -1.6875, 1.75, 0.375, 2, -1,
    -1.5, -1.9375, 1.1875, 1.3125, 0.1875, -0.75, -1.625, -0.625, -1.3125, -0.5625, -0.75, 1.25, -1.9375, -0.4375,
    -0.125, 0, -1.75, -0.75, 0.5, 1.125, -1.3125, -1, -1.25, 1.3125, 0, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125,
    -1.6875, 1.75, 0, 2, -1, -1.5, -1.9375, 1.1875, 1.3125, 0.1875, -0.75, 0, -0.625, -1.3125, -0.5625, -0.75, 1.25,
    -1.9375, 1.5, -0.3125, 0.5, -1.0625, 1.6875, 0.0625, 1.5, 1, 0.75, 1.25, 1.125, -1.75, 1.625, 0.9375, -0.375,
    1.625, -1.1875, 0.25, -1.8125, 1.5625, -2, 1.1875, 1.4375, 0.25, -0.3125, -1.0625, -0.375, -1.25, 0.875, 1.6875,
    -1.9375, 1.1875, 0.125, 0.25, 0.0625, 1.5625, 0, 0, 0, -1.0625, 0, 0, 1.5, 1, 0, 0, 0, 0, 1.625, 0, 0, 1.625,
    -1.1875, 0, 0, 0, 0, 1.1875, 0, 0, -0.3125, -1.0625, 0, 0, 0, 0, -1.9375, 0, 0, 0.25, 0.0625, 0, 0.125, 1.5625,
    -1.5, -1.4375, -0.375, -0.9375, 0.3125, -1.375, 0.0625, 1.75, -1.875, -0.5625, 1.1875, -1.6875, 1.5625, -0.125,
    0.125, 0, 0, 0, 1.5625, -1.4375, 0, 0, 0.0625, 1.1875, 0, -1.6875, 0, 0, 0, 0, -0.875, -1.625, -0.75, 1.125, 0.25,
    1.4375, 0.6875, -1.5625, -1.5625, -0.8125, -1.1875, -0.125, -1.9375, 1.8125, 0.625, -1.8125, -0.0625, -0.4375,
    -1.5, -1.125, -0.5, -1.25, 0.375, -1.375, -1.0625, -1, -0.1875, -0.625, 1.75, 1.0625, -0.375, 1.4375, -0.1875,
    1.5, -0.875, 0.5625, -0.875, -1.625, -0.75, 0, 0.25, 1.4375, 0, 0, -1.5625, -0.8125, -1.1875, -0.125, 0, 1.8125,
    0.625, 0, 0, -0.4375, -1.5, -1.125, -0.5, 0, 0.375, -1.375, 0, 0, -0.1875, -0.625, 1.75, 1.0625, 0, 1.4375,
    -0.1875, 0, 0, 0.5625, 0.625, 1.0625, 1.8125, 1.375, -1.625, -0.125, 0.0625, 0.375, -1.1875, 1.0625, -0.0625,
    0.9375, 1.1875, -1.5625, 1.5, -1, 1.0625, -1.1875, -0.3125, 1.6875, 1.375, -2, 1.625, -1.8125, 1.625, -0.75,
    0.0625, 1.25, -0.3125, 0.5625, 0.3125, -1.875, -1.9375, 0.1875, -1.5, -1.625, 0, 1.0625, 1.8125, 0, 0, -0.125, 0,
    0, 0, 0, -0.0625, 0.9375, 0, 0, 1.5, 0, 0, 0, 0, 1.6875, 1.375, 0, 0, -1.8125, 0, 0, 0, 0, -0.3125, 0.5625, 0, 0,
    -1.9375, 0, 0, 0, 0.625, -0.3125, 0.4375, -1.5, 0.3125, 0.5625, -1.125, 1.0625, -1.125, 0.4375, -1.625, -0.3125,
    0.25, -0.1875, -1.5625, 0.5, 0.5, -1.4375, -0.5625, 0.0625, -0.0625, -1.375, 0.375, 1.0625, 0.375, 0.125, -0.375,
    0.8125, -0.4375, 0.8125, -0.0625, 0.625, 1.3125, -1.4375, 0.8125, -1.9375, 0.625, -0.3125, 0.4375, -1.5, 0.3125,
    0.5625, 0, 1.0625, -1.125, 0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0, 0.5, -1.4375, -0.5625, 0.0625,
    -0.0625, -1.375, 0.375, 1.0625, 0, 0.125, -0.375, 0.8125, -0.4375, 0.8125, -0.0625, 0.625, 1.3125, 0, 0.8125,
    -1.9375, -1.25, 1.875, -0.25, 1.25, 0.9375, 0.125, -2, -1.6875, 0.5625, -1.6875, -0.3125, 1.625, 0.9375, -0.5625,
    -1.625, 1.5, -1.25, -0.25, 0.9375, -2, 0, 1.25, 0.125, -1.6875, 0.5625, 0, -1.6875, -0.5625, -0.3125, -1.625,
    1.625, 1.5, -0.875, -1.8125, -0.6875, 1.8125, 1.125, -0.0625, 1.875, 0.0625, 0.0625, -0.9375, -1.375, -1.1875,
    -0.0625, 1.0625, 0.75, 0.4375, -1.0625, 1.125, -1.6875, -1.375, 1.625, 1, -1.6875, -0.5, -1.1875, 0.375,
    0.3359375, 1.796875, 0.7890625, -1.87890625, 1.8046875, -1.25, 0.109375, -0.57421875, -4.0859375, 4.9140625,
    -2.46875, -3.62109375, 3.38671875, 0.19921875, -1.58203125, 0.296875, -3.57421875, -0.1953125, 1.16015625,
    1.9296875, -4.28125, -1.390625, 1.265625, 0.9765625, -1.04296875, -0.7109375, 1.0625, -0.6875, -1.25, -0.4375,
    -0.0625, 1, -1.9375, -1.671875, 0.84765625, 0.12109375, -1.9375, -2.05859375, 1.33203125, 2.421875, -1.8125,
    -0.625, 0.3125, 1.875, -0.4375, 1.9375, 0.75, -1.4375, 1, -1.25, 1.4375, 1.8125, 1.5, -1.125, 0.5, -1.0625,
    0.3125, -1.375, -0.375, -5.05859375, 0.63671875, 0.78125, -3.38671875, -0.94921875, -4.87890625, 3.19921875,
    1.92578125, -0.56640625, 0.6640625, -0.1953125, -0.33203125, 0.09765625, 2.4921875, 0.6796875, 0.859375, 0.234375,
    -0.4296875, -0.1171875, 0.0625, -0.3125, 0.375, 1.375, -1.1875, -1.5, -1.25, 0.25, -1.8125, 0.5, 0.8125, 1.125,
    1.9375, -1.0625, 1, 1.75, 1.8125, -0.4375, -2, 0.828125, 2.42578125, -4.5, 1.23046875, 3.390625, -1.859375, 1.75,
    3.51171875, -1.92578125, 1.8125, -0.84765625, 0.46484375, -0.4375, -3.875, 2.125, -2, 2.1484375, -4.43359375,
    -3.51953125, -1.625, 0.4375, -1.625, -2, -0.9375, 1.6875, 1, 0.375, -0.5625, -1.125, -1.875, -1.625, 1, 0.25,
    0.4375, -0.6875, -0.1875, -0.125, -0.875, -1.6875, -0.0625, -1.6875, -1.875, -1.125, 0.8125, 2, -1.12890625,
    -0.50390625, -2.7265625, -0.06640625, 1.26953125, 0.0625, -1.640625, 1.2109375, -1.296875, 0.77734375, 0.375,
    -0.484375, 1.1328125, 0.22265625, -2.15625, -0.046875, 0.4921875, 1.3125, -1.01953125, -0.40234375, -1.2421875,
    2.7421875, -2.55078125, -3.328125, 1.05078125, -2.72265625, -1.625, 0.25, -1.8125, 0.5625, 0.25, 0.375, -1.3125,
    -0.5, 0.375, 1.875, -1.3125, -0.5, 1.125, -0.0625, 0.0625, -1.125, 0.0625, 1, 0.8125, -0.5, -0.25, -0.3125,
    -0.3125, -1.625, 1.5, 1.625, 0.5625, -1.6875, -1, 0.75, 0.5, -0.4375, -1.1875, -0.4375, 1.0625, 0.4375, 1.4375,
    0.25, 0.0625, 1.3125, -0.625, 1.875, -0.9375, 1.5, -0.3125, -1.5, 1.125, -1.0625, -0.1875, -1.5625, 0.75, -0.0625,
    -0.25, -0.6875, -1.92578125, -1.9921875, 0.671875, 0.05859375, -0.81640625, 3.6796875, 0.27734375, -0.96875,
    -0.484375, -4.421875, 0.609375, 0.7734375, -1.484375, 1.01953125, 1.99609375, 0.859375, -1.05859375, 0.203125,
    2.0078125, 0.28515625, -2.625, -1.0078125, 2.57421875, 4.88671875, 3.4609375, -2.05859375, -0.52734375, 1.84375,
    -3.53515625, 0.6640625, 1.3203125, -1.16796875, 2.01953125, -1.12109375, 3.22265625, 0.8125, -0.8359375,
    -4.31640625, 0.70703125, 1, -1.546875, 1.94140625, -2.74609375, -2.10546875, 0.30859375, 2.75390625, -0.87109375,
    -0.31640625, -1.90625, -2.28515625, -0.1875, 1.73046875, 0.05859375, -1.35546875, -0.5625, -0.625, 1.0625, -0.75,
    1.6875, -0.3125, 0, 0, 0, 0, 0, 0, 1.3125, 0.0625, -0.4375, -0.9375, -0.625, 1.6875, 0, 0, 0, 0, 0, 0, 0.75,
    0.125, -1.25, -0.25, 0.0625, 0.625, -2, -0.9609375, 0.5, -0.125, -1.25, -1.5, -0.25, 2.5, -2, 1.375, 1, -1.0625,
    -1.4375, 1.5625, -0.0625, -1.3125, -1.6875, 1.9375, -1.6875, 1.375, 1.9375, 1.1875, -1.625, -1.375, 1.5, 1.5625,
    -1.875, -0.4375, -0.8125, -1.6875, -1.25, 1, -0.375, 1.6875, -1.4375, -1.6875, -1.75, 1.875, -0.9375, 0.3125,
    0.9375, -0.125, -1.3125, 1, -0.9375, 1.5625, -0.9375, -0.0625, -0.5625, -1.1875, -2, 0.375, 0.5625, -0.3125,
    -1.9375, -0.75, 0.8125, 1.25, 1.1875, 1.25, -0.3515625, 2.00390625, 4.48046875, 0.6875, -1.13671875, -1.04296875,
    -3.3828125, 0.5703125, -0.3984375, -0.10546875, -2.05078125, 0.53515625, 1.78515625, 1.40234375, 3.125,
    -1.00390625, -2.1015625, 3.66015625, 1.71875, -2.04296875, 4.6640625, 1.05859375, 2.2265625, -3.68359375, 1.875,
    -2.0859375, -3.9609375, 3.5390625, 1.1015625, -0.33984375, 0.46875, -4.7578125, 2.82421875, -4.1015625, -0.875,
    1.1875, -1.77734375, 0.640625, -0.4609375, 0.67578125, -1.1015625, 0.625, 0.16796875, -1.62109375, 2.94921875,
    2.24609375, -1.4375, 5.5703125, 4.90234375, -1.59375, 3.6875, 2.984375, -1.625, 0.875, 0.0625, 1.9375, -2, 1.5,
    -0.25, -0.0625, -0.3125, -0.125, 0.5, 0.625, -0.4375, 0.875, -0.125, 0.125, -0.5, -0.75, -1.3125, 0.9375, -1.625,
    -0.5625, -0.0625, -2, -1.1875, 0.5, 0.171875, -0.25, 0.375, -0.0625, -0.2109375, -0.4140625, 0.1328125, 0,
    1.234375, 0, -0.2421875, 0, 1.53125, 0, 0.2109375, 0, 0.21875, 0, 0, 0, 3.13671875, 4.7578125, -0.6796875,
    0.71484375, 0, 0, -0.8125, -0.4375, 1.375, -0.3125, -0.9375, 1.1875, 1.8125, 0.4375, 0.75, 1, 2.7421875, 2.296875,
    2.296875, 2.38671875, -3.31640625, -2.69921875, 6.39453125, -1.58984375, -2.39453125, 4.0078125, 0.9375, -0.625,
    1.9375, 1.375, 0.125, 0.75, 1.25, 1.5625, 0.6875, 0.4375, -1.0625, 1.875, 0.75, 1.3125, 1.5625, 1.375, 1, 0.875,
    1.75, 0.6875, -0.125, -0.0625, -0.75, -0.8125, 0.8125, 0.0625, -0.25, 1.5, -0.5625, -0.375, 3.27734375,
    5.39453125, 2.78515625, 2.296875, 4.1796875, 2.5625, 2.2421875, 2.609375, -0.59765625, 0.8203125, -0.71484375,
    -0.59375, -3.09765625, 1.43359375, -1.046875, 0.4375, -1.640625, 1.30078125, 0.6953125, -0.44921875, -0.01171875,
    -0.578125, 1.15234375, -0.45703125, -0.0859375, -0.16015625, -1, 0.6875, 0.25, -0.3125, 0.5, -1.5, 1.125, -1.6875,
    -0.25, 1.375, 0.6875, 1.5625, 0.1875, -1.8125, 1.5, -1.5625, -0.75, 0.0625, -1.4375, -1.75, 0.625, 0.375, 0.375,
    0.3125, 1.625, -0.625, 1.875, -0.9375, 1.0625, 1.375, -1.9375, 0.1875, 1.4375, 1.9375, 0.25, -1.5, -0.5625, 1.875,
    -1.125, -1, -1.9375, -0.6875, 1.1875, 1.625, -2.0859375, -1.390625, 1.546875, -4.1796875, -0.7265625, 3.3125,
    1.5234375, -0.703125, -0.6875, -0.15625, 1.05078125, 2.32421875, 3.69921875, 3.5234375, -2.75, 5.41015625,
    -4.046875, 0.671875, -4.3359375, -3.4375, -1.43359375, 0.47265625, -2.65625, -1.08984375, 0.62109375, 2.0859375,
    2.8671875, 2.93359375, 1.23046875, -5.73828125, 6.09375, -0.046875, -0.6484375, 5.63671875, -4.31640625,
    2.8671875, -3.90234375, -1.0078125, 0.96875, -4.578125, 0.3125, -0.125, -1.625, -0.5, 0.5, -1.75, 0.625, -0.125,
    -2, -1, 1.9375, 1.875, -0.875, 1.625, 5.3984375, -1.484375, 1.046875, -1.53125, 0.5859375, -0.234375, -3.046875,
    -0.2734375, 0.109375, 1.421875, 1.875, -0.875, 0.0625, 1.1875, -0.875, 0.5625, -0.3125, 0.0625, -0.3125, -1.125,
    -1.4375, 0.625, 0.5625, 0.625, 1.75, 0.0625, 0.4375, -1.5625, 1.125, 0.9375, 1.5625, 1.3125, -1.8125, 2, -1.6875,
    1.25, 1.0625, -1, 0.375, 0.375, -1.0625, -0.9375, 0.9140625, 1.18359375, -3.78515625, 1.69140625, 1.53515625,
    0.23046875, -2.46484375, 2.8359375, -3.03125, 0.40234375, 1.62890625, -1.47265625, -2.43359375, -2.49609375,
    0.33984375, 0.5234375, -1.1953125, -1.17578125, 1.6875, -0.8828125, -1.52734375, 0.34765625, 0.55078125,
    -0.3671875, -0.3984375, 0.25390625, -1.3125, 1.625, 0, -1.9375, -0.625, 0.4375, 0.5, -0.125, 0.8125, 0.8125,
    -0.4375, 1.4375, 0, 0, 0, 0, 0, 0, 0, 0, 0.8125, -1.875, -0.875, 0.75, 1.875, 1.375, 1.25, 0.0625, 0.25, 1, 0.25,
    1.8125, 0.7980640537079243, 0.05430894042148585, 0.1476270058705899, 0.1681106585944279, 0.5178172830852636,
    0.31407205832030843, 0.16928444735195317, -0.05297191553506216, -0.11631253181689127, 0.022388879154883874,
    -0.31940035951268475, 0.29701148035780095, 1.125, -0.9375, -1, -0.25, 1.4375, -0.0625, -0.9375, 0.0625, -0.5,
    -1.125, -0.25, -0.5, 0.7981867777396212, 0.08509904500702024, 0.28140560742914383, 0.20181322226037882,
    0.9149009549929797, 0.7185943925708561, 0.03020337104648663, 0.02433037423309793, 0, -0.030203371046486568,
    -0.024330374233097942, 0, -0.4375, -1.25, -1.5625, 2, -1.5625, -1.125, -0.6875, -1.6875, -0.1875, -1.8125, 0.625,
    1.625, -1.6875, 0.375, -0.25, -0.875, 1.8125, -0.75, -1.1875, -0.125, -0.4375, -0.1875, -0.875, -1.0625,
    0.6063160177058281, 0.03581214448353298, 0.19684199114708595, 0.923607379393946, 0.19684199114708595,
    0.04058047612252108, 0.15712963110396863, 0.03408761169004195, 0.25906296505837756, 0.03008221173296846,
    0.5838074038376538, 0.9358301765769896, -0.5892829826860858, 0.042980384254515634, 0.09164818797261061,
    -0.04603050454690155, 0.4976347947134754, 0.003050120292385968, -0.059196551724484944, 0.02997054160981427,
    0.09669860981352449, 0.02456877190613329, -0.037502058089039544, -0.05453931351594753, -0.375, -0.4375, 1, 0,
    0.6875, 0.0625, -1.75, 0.5, 0.8125, 0.9375, 0.25, 1.75, -1.8125, 2, 1.8125, -0.4375, 0.4503434473741539,
    0.03935057188504211, 0.5103059807408041, 0.20211388517040985, 0.3130401091265908, 0.48484600570299924,
    0.44740731052804705, 0.25072372156042255, 0.09811987293421598, 0.32963347607785476, -0.5455271834622629,
    -0.5803571976382771, 800, 801, -900, 0, 0, 0, 0.625, -0.0625, -1.9375, -0.3125, 0.5, 0.25, 0.26894142136999516,
    0.7310585786300049, 0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333, 0.1351707041035188,
    -0.1351707041035188, 0, -0.15277777777777776, 0.11805555555555555, 0.034722222222222224, 0.375, -0.3125, -2,
    0.625, 1.3125, -1.9375, 2, -0.5, -1.5625, -1.8125, -1.5625, 0.0625, -0.4674040452417671, -1.1549040452417672,
    -2.842404045241767, -1.1203245912263522, -0.43282459122635214, -3.682824591226352, 2.039164178353605,
    -0.48030701439852125, -1.5588571639550841, -0.7320489421690877, 0.5862335027581589, 0.1458154394109289, 1.0625,
    1.5, -0.875, -1.125, 1.4375, 0.875, -0.25, -0.1875, 0.25, 0.5625, 1.125, -2, -0.10633723997560358,
    -0.6623853823577756, -1.9102241504380872, -2.2938372399756037, -0.7248853823577756, -0.16022415043808716,
    -0.5309754303968574, -0.6708936709903272, 0.5090825965554566, 0.5309754303968574, 0.6708936709903272,
    -0.5090825965554565, -1.125, 1, 1.125, 1.8125, 1.4375, 0.625, 0.0625, 1.0625, 1.4375, -1.875, -1.6875, 0.375,
    1.9375, 0.875, 0.1875, -1.25, -0.9375, 0.9375, -1.5625, -1.6875, -1.0625, -0.1875, -0.625, 0.1875,
    -3.155123475824995, -1.3713898552484016, -0.905123475824995, -0.5588898552484017, -0.592623475824995,
    -1.7463898552484016, -1.6348815924385245, -0.4420089315706043, -0.2598815924385245, -3.379508931570604,
    -3.3848815924385245, -1.1295089315706042, 1.8868731503991973, 0.7322633564506345, -0.29283417523946864,
    -1.571661991648547, -1.5940389751597288, 0.8393986351979125, -0.9288297663724776, -0.6028696776643567,
    1.443714391027858, -0.13001669883080494, -0.5148846246553805, 0.7328863764951619, 0.375, -1.625, 0, 0, 1.375,
    0.625, 0.875, 1.0625, -0.75, 0.0625, -0.125, -0.875, 0.5625, -1.5625, -1, -0.1875, -0.5457855194260761,
    -1.0457855194260761, -2.670785519426076, -1.1373883912547904, -0.6998883912547905, -1.6998883912547904,
    0.12848158727550754, -0.6806977721453675, -0.721255645644781, 0.3657620079043341, 0.5927740583692734,
    0.3149357642410335, 800, 801, -900, 0, 0, 0, -2, -1.125, -0.5625, -1.25, 1.8125, 1.5, -1.3132616875182228,
    -0.31326168751822286, -1701.3132616875182, -1.0986122886681098, -1.0986122886681098, -1.0986122886681098,
    -1.008278508698143, 1.570778508698143, -0.5625, -1.9375, 1.125, 0.8125, -INFINITY, -INFINITY, -INFINITY, 1, 2, 3,
    -1.875, 1, -1.375, -0.0625, -2, 1.9375, 0, 0, 0, 1, 0.26894142136999516, 0.7310585786300049, 0, 0, 0, 0,
    -0.7741594871383349, 0.7741594871383348, 1.625, -1.75, 0.8125, -0.0625, 1, 1, 0, 0, 1.75, 1.6875, -0.25, -0.375,
    -INFINITY, -INFINITY, -0.34844458100505576, -1.2234445810050558, 0, 0, 0.19111564239813195, -0.19111564239813203,
    -0.0625, -1.4375, -0.9375, 0.625, 1.375, -0.5625, 0.5625, 0.3125, -0.75, -0.9375, 1.5, 0.75, 1.9375, 0.9375,
    -1.1875, -1.4375, 1.25, 1.5625, -0.625, 1.1875, 0.4375, 0.0625, 0.125, -1.625, 1.5682911077737471,
    2.100508010512697, -2.1031380527211074, -0.4184834574555419, 0.9028030520610115, 2.273276797544186,
    -0.8821795891327575, -1.556235715337261, -0.896521364801118, 0.15208484958514706, 0.1936855027220314,
    0.55075101249394, 0.1070992988889804, 0.3571023006726758, 0.7946744601631703, -1.2588760597248267,
    1.2189213733414985, -2.0273984706907737, 0.40695922287273156, 1.870703575592791, 1.6875, 1.625, -0.5, -0.4375,
    1.0625, -1.375, 1.25, 1.8125, -0.75, 0.8125, 0.8125, 0.3125, -0.625, 0.0625, -1.4375, -0.875, 1.5625, 1.125, 0.5,
    -0.1875, 0.1875, -1.875, -1.9375, 1.8125, -1.5625, 0.3125, -0.0625, 1.625, 0.6064009939594216,
    -1.3644022364086985, 0.758001242449277, 1.078663643446847, -1.2489789555700335, 0.17031531212318637,
    0.9574105034864554, 0.2161894685291996, -1.1735999720156554, 1.169321989811876, -0.9894262990715875,
    -0.17989569074028863, 0.43833480087703514, -0.026118394870911388, -0.41221640600612364, 0.6442388324854492,
    0.45222240732207164, -1.096461239807521, -2.2136943748136817, 3.4812077966673334, -1.2675134218536512,
    -0.5254234980359562, -0.9253857619148503, 1.4508092599508067, 1.8125, -0.125, -1.4375, 0.0625, -0.5625, -1.5,
    -1.9375, -1.5, 1.875, 1.125, -0.3125, 1.9375, 0.0625, 0.9375, 1.5, 0.625, -1.625, 1, 0.1875, 1.375,
    3.0520137859428464, -0.7080671983387403, 0.006782252857650769, -1.8922485472845647, 1.6289997829105967,
    1.2634681243062678, 0.31123166584064244, -1.9296363282119833, 0.21411632280738435, -3.1919383973589235,
    0.22032984289908314, 2.808858958334595, -0.6640793229059975, -1.6546600344531788, 0.22963315719952998,
    2.037739473477507, -1.3100660189910889, 0.5330267785455097, -0.21929381322110916, -1.9798220868873964, 1, 1, 1, 1,
    2, 4, -0.6875, 1, 0.5, -1.1875, 1.8125, 1.375, -1.625, -0.0625, -1.3125, 0.375, -0.6875, -1.3125, -1.1875, 1.8125,
    1.375, -0.45253394712792033, 1.5452396171374254, 2.0431509571564357, 311.28670717282483, -61.76323555016365,
    -249.52347162266116, 0.10201310064237389, -0.1530183087046418, 0.0510052080622678, -0.4008905742938617,
    0.18374151321802001, -1.7538962625356442, -1.25, -0.75, -2.625, -0.875, -1.3125, 1.625, 0.8125, 1.5625, 1.125,
    0.3125, -0.25, 1.3125, -1.3125, -1.625, -1.75, -0.875, 0.0625, -1.375, -0.8125, 0.5625, -1.0625, -0.8125, -0.1875,
    -1.875, -1, 0.9375, -1.75, 1.625, 2, -0.25, 1.75, -1.1875, -0.125, -0.375, 0.25, 0.1875, -1.8125, -0.4375,
    -1.767295356998062, -0.7374933905839983, 0.917789761653145, -1.245127884477389, -0.5721265428413481,
    0.29215593073854734, -1.2786968573758648, -0.500660597401034, 0.3897014039799882, 0.3246910588623895,
    0.3655861593256465, -0.0009923534956688131, 0.008417473702082928, 0.786825392611777, -0.4524406082270661,
    0.25293914887884483, 0.162410613761593, 0.37361547356096825, 0.2360600120793873, 0.23193555024986284,
    0.3347048207325588, -0.8584901726896758, -0.7331754465735391, 0.014834675813428243, -0.6984242312859299,
    -0.15030043396361722, 9.375094880302234e-05, -0.941645458562798, -0.1709273246191212, -0.19165365475101445,
    1.3163241966374826, -0.9154907106383574, -0.01077477201121682, -0.11375450678875464, -0.13828153077890407, -1.5,
    0.6875, 0.625, 0.1875, -1.5625, 0.8125, 1.0625, 1.3125, 0.9375, 1.5, -1.0625, 0.0625, 0.1875, 0.75, 1.25, -1.5,
    -1.625, 1.875, -1.1875, 1.875, -0.875, 1.625, 0.875, -0.3125, -1.8125, -0.6875, 0.25, -1.6875, 1.25, -1.1875,
    1.4375, -0.625, 0.625, 0.5, 1.5625, 0.6875, -2, -0.875, -1.1875, -0.5625, 1.25, -0.1875, -2, -2, 0.5, -1.3125,
    -1.5625, 0.0625, 0.25, -1.5625, -2, -1.6875, -0.375, -1.8125, 0.125, -1.5, 1.625, 1, -0.5, -1.5, 1.5625, -1.625,
    -0.125, 0.0625, 0.75, -1.8125, 0.4375, -0.625, 1.0625, -1.6875, -1.6875, 1.4375, 1.4375, -0.1875, -0.8125,
    -1.8125, -1.125, 1.9375, 1.75, 1.4375, 1.9375, -1, -1.125, 0.5625, 0.25, -2, -1.3125, 1.6875, -0.625, -0.75,
    1.875, -1.875, -1.5625, -1.25, 1.1875, 1.9375, 0.25, -1.5625, -1.2922575531312415, -1.6481809751739578,
    0.115543018512901, -1.5750290676268586, 0.125, -1.5, 1.1120783115161217, 0.14513051919353614, 0.7146871415171174,
    -0.25950230960794274, 1.5625, -1.625, 0.5576143309565267, -0.6201143309565267, 0.9264530901241491,
    -1.0248778052367, 0.4375, -0.625, 0.6370849627204734, -0.9642944366248049, 0.5663147848145456,
    -1.0635951087114441, 0, 0, 0.6460882622019536, -0.3132549150070086, 0.17251582180370523, -0.08214228332569799, 0,
    0, -0.05251965934177109, 0.07271952831937536, 0.10460215501038753, 0.02894678975163993, 0, 0, 0.7006125288650246,
    0.2694663572557786, 0.02515155739361451, -0.00034288813792764897, 0, 0, 0.1350853257840328, 0.03714846459060914,
    -0.658289152959192, 0.24110368474217317, -0.06624571093511025, -0.12609537425483414, 0.06862829743084381,
    0.12485642927705295, -0.0023825864957333505, 0.0012389449777813423, -0.05397591281909624, -0.0973490001580132,
    0.1782655567294231, 0.09003784463387637, -0.12428964391032687, 0.007311155524136875, -1.1143725360766399,
    1.3355620998894975, 1.1433092766902246, -1.368950646751326, -0.028936740613584887, 0.03338854686182871,
    0.12078200140216466, -0.11405622510881891, -0.31096268765424234, 0.1819778987702751, 0.19018068625207757,
    -0.06792167366145628, 0.14324936268641422, 1.0312067097042599, -0.6168107781003762, -1.1392398276024363,
    -0.026438584586038042, 0.04553311789817663, 2.1240484591940456, 1.2397899018928964, 0.7167521916985647,
    -0.3789402273392016, -0.2783006508926105, 0.13915032544630526, -0.6587070590405086, -1.770727430999325,
    -1.006339994014147, 0.7351709673337385, -0.02245294694534434, -0.02694353633441321, 1.0139161757167112,
    -2.395510767381087, 0.317834247024917, 0.9334982992226909, 0.16824957725837178, 0.2745124681583961, -1.1875,
    -1.1875, 1.625, -0.375, -0.625, 1.9375, 1.5, -1.625, 1.25, -1.875, 1.5625, 1.9375, -0.8125, 0.0625, 0.3125,
    -1.875, -1.4375, 1.1875, -0.8125, -0.1404667532647209, 0, 0, 0.09834225713121922, -0.1648679016611616,
    -0.07520290251210882, 0.017354515964332802, 0.07520290251210882, -0.017354515964332802, 0, 0, 0, 0,
    -1.1620451205693074, 0.9120451205693073, 0, 0, -1.0625, 0.6875, 1.5625, -0.625, 0.3125, -1.9375, -0.5, -1.875,
    -1.875, 0.4375, 1.0625, -1.8125, 0.5625, 1.9375, -1.8125, 0.4375, -0.4375, 0.8125, -0.9375, -1.5625, 1.75, 1.9375,
    1.1875, 1.5625, -0.0625, -0.625, 0.3125, -0.9375, -1.9375, 2, 0.0625, 1.875, 1, 0, 1, 0, 1, 1, 0.4375, 0.8125,
    -0.5, 1.875, 1.625, -0.5, -1.8125, -1.8125, 1.298056600265433, 1.2985455383063018, 1.0638974662097471,
    1.3461955658670572, 0.07513188144203352, 1.7328913337771228, -0.006905873186920927, 1.8793378670741823,
    -0.9274961313799255, -0.5707668500799543, 0.10952267949358578, -0.8214200962018938, -0.05379990161478934,
    0.12297120369094716, 0.04024959414526798, 0.1911855721900219, -0.40429318547330084, 0.2616014729533123,
    0.34225837341745574, -0.13690334936698229, 0.062034812055845184, -0.12469812358633008, 0.019214250576710487,
    -0.11912835357560501, -0.04024959414526766, -0.15093597804475373, 0.021035343568557338, 0.2700643316203594,
    0.3284102138571735, 0.609904682877608, -0.45055898648389886, 1.6895961993146207, 0.05964877262672534,
    0.3879991178077717, 0.08210722937321792, -0.02526376288406705, -0.06289907257564709, -0.06289907257564709,
    -0.2067081567975706, -2.224337164540286, -1.8125, 1.6875, -1.875, -1.5625, -0.125, -0.25, -0.0625, -1.6875,
    -0.125, -0.1875, 1.1875, -0.0625, 0.3125, 0.75, -0.875, -1.5625, 0, 0, 0, 0, 1, 1, 0.0625, 0.8125, -1.25, 0.25, 0,
    0, 0.10873977020949985, 0.35320376303955225, 0, 0, -0.00569305596924531, 0.13663334326188745, 0, 0,
    0.1707916790773593, 0.14232639923113274, -0.1707916790773593, -0.14232639923113274, 0, 0, -1.0355155475889473,
    0.20710310951778943, -0.21448445241105282, 0.04289689048221056, -0.9375, -1.9375, 0.0625, 1.375, -0.8125, 0.75,
    -1.3125, 0.125, -0.3125, 0.6875, -1.8125, 2, -1.625, -0.8125, 1.625, 0.0625, 1.25, 0.8125, -1.125, -1.25, 0.125,
    1.25, 0.4375, -1.1875, 0.75, -1.0625, -1.5991352207595977, 0.30694949135033833, 0.8664623390753744,
    0.04433586517464872, -0.1785433174777525, -0.240939067012229, 0.14529181159950488, 0.036074791150283995,
    0.3749045292891744, 0.6093493119314841, -0.36391736300494926, -0.8503785745282068, -0.010987166284224975,
    0.2410292625967229, 0.21874255809835502, -0.5304831798029545, 0.37770303425006085, -0.8649448950190094,
    0.591054407651584, -0.8545719251780359, -1.4375, 1.9375, -0.0625, -1.8125, -0.9375, -1.9375, 1.5, -0.9375, -0.5,
    1.3125, -1.9375, -1.9375, 0.5, 0.3125, 0.375, 1.5625, 0.375, 0.3125, 1.75, -0.25, 0.875, -0.875, -1.125, 1.25,
    0.3750991886957241, 1.0736196861709995, 0.44211242249220706, 0.517702637840719, 0.37565654423692985,
    0.9402275281528671, 0.02351380427854415, 0.22420149327247169, -0.1278233695055682, 0.0007455748807338458,
    0.28403641009017955, -0.011159655104740818, 0.16921423357006596, -0.16034238404336648, -0.008871849526699425,
    -0.07569650989705773, -0.33427000688765796, 0.40996651678471596, 0.4652667010532178, -0.46341989246759957,
    0.6442546317903223, 0.3318617444301639, 0.3904786671564602, 0.25655814803743576, 0.3125, 1.5, -0.125, -0.8125,
    -0.375, 0.5625, -0.9375, 0.0625, -1.8125, 1, -2, -1.375, 1, 3, 1, 0, -1.4375, -1.3125, -1.6875, 1.75, 1, 1.5625,
    -1.375, -1.5625, -1.5625, 0.25, 0.5625, -1.625, -0.8125, -0.375, 0.5625, 1, -2, -1.375, -0.8125, -0.375, 0.5625,
    0.3125, 1.5, -0.125, 0.25, 0.5625, -1.625, -2.8125, -2.875, -3.25, 0, 0, 0, 1.75, 1, 1.5625, -1, 1.875, 0.0625,
    -1.6875, 1.4375, 0.875, -1.9375, 1.9375, 2, -2, -0.4375, 1.4375, 0.875, 0, 0, 0, 0, -2, -0.4375, 0, 0, -1.5,
    -1.25, 0.375, -1.625, 2, -1.0625, 1.25, -0.4375, 3, 0, 3, 1.875, 0.8125, 1.125, -1.375, -1.4375, -1.875, -1.625,
    -0.4375, -1.5, 2, -1.625, -0.4375, 1.125, 0, 0, 0.4375, -1.375, 0, 0, -1.0625, 1.5, 0.1875, -1.0625, 2, 0.4375,
    1.625, 0.875, -0.75, 0.5, -1.625, -0.375, 1.1875, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, 2, 0, 2, 2, 1, -1.1875,
    -0.5, 1.1875, 1, -1.4375, -0.5, -0.4375, 0.5, 0.0625, -1.0625, 0.0625, -2, -1.375, -1.3125, 1.5, 1.9375, 0.5625,
    1.875, 1.125, 0.875, 0.375, 0.5625, -0.125, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, 1.5, 0.1875, -1.0625, 2,
    0.4375, 1.625, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, -0.5, -0.4375,
    0.5, 0.0625, -1.0625, 0.0625, 0, 0, 0, 0, 0, 0, 0.875, -1.4375, -0.9375, 3.0625, 3.5, -1, -1.4375, -0.5, 0.8125,
    0.125, 1.125, -0.875, 1.125, -0.0625, -1.8125, -0.0625, -1.4375, -1.0625, -0.625, -1.375, 0.0625, 0.125, 0.6875,
    1.25, 2, 0, 2, 2, -0.5625, -1.6875, -0.25, 0.6875, -1.1875, -1, -1.8125, -0.6875, 1.25, -1.6875, -1.4375, 1.375,
    -2, -1.125, -1.8125, -1.625, -1.375, 1.625, 1.4375, 0.125, 1.5625, 0.0625, 0.0625, 0.6875, 0.8125, -1.4375,
    0.8125, 0.8125, -0.875, 0.125, -0.875, -0.875, -1.8125, 1.125, -1.8125, -1.8125, -1.0625, -0.0625, -1.0625,
    -1.0625, 0.0625, -0.625, 0.0625, 0.0625, 1.25, 0.125, 1.25, 1.25, -1.6875, 0, -0.125, -1, 0, -3.6875, -1.6875, 0,
    1.1875, -1.125, 0, -5.4375, 1.625, 0, 0.1875, 0.0625, 0, 2.3125, -1.1875, -1.375, -1.8125, 1.1875, -1.9375, 1.625,
    0, 0, 0, 0, 0, 0, -0.6875, 1, 0.9375, 0.4375, 1.9375, -1.5, 0, 0, 2, 1, 2, 1, 1, 1, 0.125, -1.25, -0.0625, 0.375,
    -1.125, 1, -2, -1.875, -0.6875, -0.6875, 0.9375, 1, -1.5, 1.9375, 1.9375, 1.9375, -1.125, 0.375, -0.0625, 0,
    -2.875, -1.125, -0.375, 1.25, -0.5625, -1.3125, -0.9375, -1.625, 2, 0, 0.0625, -0.125, -0.9375, -0.375, -0.125, 0,
    0, 0, 0.0625, 0, 0.75, 0.6875, 0.375, -0.25, -0.125, -0.875, 1, 0, 1, -1.0625, 1.0625, 1.875, -0.25, 0.6875,
    -0.875, 0, 1.0625, 0, -1.0625, 0, 1.875, 2, -1.125, 0.25, 1.6875, -1.8125, -0.625, -1.9375, -0.375, 0.4375,
    -0.625, -0.3125, 0.3125, 1.25, 0.4375, -1.8125, 0.4375, 0.1875, -0.1875, 0.0625, 0.375, 1.875, -1.875, 0.5625,
    -0.375, 4, 0, 0, 0, 0, -1.25, -3.875, -0.75, 0, -1.25, 0, 0, 2.5, 0, 0, 0, 0, -0.375, 0.125, 0.75, 0, -3.75, 0, 0,
    -1.875, -0.3125, 1.8125, -0.375, 1.0625, -1.0625, 1, -2, 1.5625, -2, -1.1875, -1.4375, -1.6875, -0.75, -1.4375,
    -0.1875, 1.8125, 0.625, -1.0625, -0.125, -2.5, 0, 2.4166666666666665, -0.5, 1.4166666666666665,
    -1.4166666666666665, 1.3333333333333333, -2.6666666666666665, 0, -2.6666666666666665, -1.5833333333333333, 0,
    -2.25, -1, -1.9166666666666665, -0.25, 2.4166666666666665, 0.8333333333333333, 0, -0.16666666666666666, -0.875,
    -1.5625, 0.3125, 1.0625, 0.9375, 0.1875, -1.1875, 0.625, 1.0625, -1.375, -0.25, 1.4375, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, -1.875, 2, 0.875, -2, 1.625, -1.5625, -1.5625, -0.8125, 0.625, 1.5, -0.875, -1.5625, 1, -100, 3, 0.125,
    1.90762614271534, 0.0009511804419575476, -0.016669559744765465, 0.014878965508981327, 0.0008394137938265823, 0, 0,
    0, 0, 0.016737175501424114, 0.04015039680115768, 0.00373456865006514, -0.06062214095264694, -1.375, 0.3125, -2,
    0.0625, -1, -0.0625, 1.25, -1.1875, 1.625, 0.4375, -0.8125, 1.3125, 0, 2, 1, 1, 0.5625, 2.6208155726101126,
    -0.1604874199964089, 0.1460286278357032, 0.014458792160705697, 0, 0, 0, 0.07375007079613281, -0.1810557906319906,
    0.1073057198358578, 0.0508767061684295, -0.17292357963429852, 0.122046873465869, 1.75, -1.0625, -0.5625, 1,
    -0.3125, 1.4375, -1.375, -1.9375, -1.125, -0.625, -0.9375, -0.5625, -0.75, 2.9798177083333335,
    -0.7812499999999999, -0.21874999999999997, -0.140625, -0.40625, -0.15625, -0.5, 0.7812499999999999,
    0.21874999999999997, 0.140625, 0.40625, 0.15625, 0.5, -2, 1.0625, 1, 0.0625, -1.875, -0.3125, -0.75, 0.625,
    1.9375, -1.5, 1, -1.5625, 1, -100, 3, 1.25, 4.730425410896675, 0.024835051076190908, -0.7190031945200575,
    0.4988253353800842, 0.1953428080637823, 0, 0, 0, 0, 0.8597281585050307, 0.02763591637057637, 0.33667438428305285,
    -1.2240384591586597, 1.8125, 0.9375, 0.5625, 1.75, 1.9375, 0.75, 1.25, 0.625, 1.3125, -1.25, 0.8125, 0.625, 0, 2,
    1, 1, -0.625, 2.784010171756722, 0.25807961976738397, -0.15295517076497456, -0.10512444900240935, 0, 0, 0,
    -0.2404071870825533, 0.4963193056159604, -0.2559121185334072, -0.040620213085484504, 0.3054972752451954,
    -0.26487706215971085, -1.8125, -0.25, 1.1875, -0.5625, -1.6875, -1.625, 1.5, -1.0625, -1.75, -1.0625, -1.5625,
    -1.6875, -0.6875, 20.53125, 4.5546875, -1.1171875, -4.0390625, -0.6875, 0.171875, -0.0859375, -4.5546875,
    1.1171875, 4.0390625, 0.6875, -0.171875, 0.0859375, 1.5625, -1.75, 0.4375, -0.5, 0.0625, 1.625, -1.9375, -2,
    0.0625, -0.6875, -1.25, -1.75, 1, -100, 3, -0.5625, 1.9375, -0.5, 3.7100762041232294, 0, 2.4568551836990165,
    -0.3779700387663808, 0.5487324423443312, -0.12270890567303663, -0.04805349790491373, 0, 0, 0, 0,
    -0.2625004810819588, -0.1239964473415428, -0.07065104602286341, 0.457147974446365, 0.4375, -0.0625, 0.875, 0.25,
    0.5, 1.75, -1.875, -1.3125, -0.1875, 1.3125, 2, -0.75, 0, 2, 1, 1, -1.4375, 1.8125, 0.1875, -0.3125,
    1.1491028977998379, 0, 1.5368671494162418, 0.44900943479104705, 0.9819261309637393, -0.2763195193344001,
    -0.7056066116293391, 0, 0, 0, 0.022975115512903446, -0.147177416524878, 0.12420230101197456, -0.10029291299396613,
    0.11304372599534288, -0.01275081300137676, -1.8125, -0.0625, 0.75, -1.875, 1.6875, -1.0625, 0.4375, 0.0625,
    -1.875, 1.4375, -0.875, -1.9375, 0.875, 1.3125, 1.75, -0.1875, 1.3125, -1.625, 5.0625, 0.015625, 6.890625,
    10.97265625, 6.56640625, 0.765625, -3.9375, -0.328125, 9.1875, 1.2421875, 6.7265625, -2.84375, 3.9375, 0.328125,
    -9.1875, -1.2421875, -6.7265625, 2.84375, -0.1875, 0.5, -0.75, 1, 1.6875, 0.5818448107936776, 0.47421395985762754,
    -0.7444129294321433, 0.2701989695745156, 0.5625, 1.1875, 1.625, -1.25, 0.6875, -1.625, -100, -100, -2, 0, 0, 0, 0,
    0, 0, 0, 0.875, -1.5625, 1, -0.25, -0.625, 1.75, 2, 0, 1.625, 2.9140453235772967, 0.344823398830287,
    -0.7872428626594926, 0.39073610096578504, 0.0938416495700681, -0.7355594997960722, 0.6934012130894245, 800, 0,
    -800, 0, 0, 0, 2, 1, -0.9375, 800.5493061443341, -0.46875, 0, 0.46875, -0.15625, 0.3125, -0.15625, 0.125, 0.5,
    -1.8125, 1, 1.875, 1.6875, -1.1875, -1.6875, -2, 0.875, -1.375, -0.5, 0.3590497333852277, 1.323175538604203,
    1.1814121522025496, -0.8460290151921035, -5.734395334458658, 2.2444472416540764, 1.961928544319317,
    0.5735988470659301, -0.25, 0.4375, 2.4921875, -0.5, -1.6875, -1, -0.5625, 1.875, -0.3125, 0.9375, -0.6875, 1.125,
    2, 0.0625, 0.625, 0.625, -0.0625, 1.875, 1.5625, 1.6875, -0.4658541018853749, -0.1539709848078965,
    -1.6583026735360202, 2.125960781609694, 0.026808683820303266, -0.275995676497238, 4.446757030048544,
    0.5492247083050936, 0.10546875, 0, -1.875, 0, -0.87890625, 0, 3.1640625, 0, 1, -0.5, 0.25, -2, 3, 0, 0.5, -1,
    0.75, 1.75, -2, 0.125, 0.5, 1.25, 1.9375, 1.399789198096713, -0.10021080190328704, 0.841344746068543,
    -0.10021080190328704, 1.9544997361036416, 0.5800294857173489, 1.9730710864024643, 0.2549383844599592,
    0.1354144338234608, -0.0637345961149898, 1.3565397513477462, 1.935999835869768, 1.9093364902874745,
    1.6114781358077055, 2.071414269693229, 1, -0.5, 0.25, -2, 3, 0, 0.5, 9, -0.75, 9, -1, 0.6875, 1.125, -1.5625, -1,
    -1.3125, 1.399789198096713, -0.008194348896400028, 0, 2.2224949365261493, 0.5800294857173489,
    -0.16997051428265111, -1.1274691922299795, 0.5625, -0.9992257217392352, -0.015143929380470579, -1.654983974961261,
    -0.0010162402172538207, -1.5641949139692146, 0, -1.6711441445589852, 0, 0.5, -1.25, 2, 0.8125, 0.75, -1.0625,
    0.841344746068543, -0.015524163314440398, 3.9998733150326675, 1.7603876397049905, -0.056416628862217794,
    -2.1260702555301063, 0.0625, -1.8125, 1.625, -2, 1.125, 0.6875, 0.25, 0.125, -0.125, 0.4375, 0.5625, 1.875,
    0.0624593178423802, -0.9709315977974505, 0.9985313405398316, -0.9092974268256817, 0.9022675940990952,
    0.6346070800152693, 0.24951187767502478, -0.0299196403926652, 0.00677214187836704, -0.1820642409893748,
    0.24253679069924974, 1.449065524035884, -1.3125, 1.5625, 0.3125, 1.75, -2, 0.125, -1.625, -0.4375, -0.9375,
    -0.5625, 0.0625, 1.9375, -0.9668265566961802, 0.30743851458038085, -0.9092974268256817, 0.9999655856782489,
    0.9839859468739369, 0.12467473338522769, -0.415079871194319, -0.004666630288420338, -0.41631097727107536,
    -0.011140378478093255, 0.390137659262946, 1.9223829802568249, -1.3125, 0.5, -0.9668265566961802,
    0.12771688344440585, 0, 3.25, -1.1875, 0.375, 0, -0.10819513453010837, -1.1875, -0.37279862853020485, -1.25,
    1.125, -0.625, -1.3125, -0.875, 1.4375, -1.9375, -0.5625, 1, -0.3125, -0.0625, 1.625, 0.3153223623952687,
    0.4311765167986662, 0.8109631195052179, 0.2554337668888117, 0.6409968581633251, 0.13290194445282522,
    -1.8386577000014483, 0.507525521680741, 0.5850972729404622, -0.3021332989675563, -0.04797146888975169,
    -1.6105849352998627, -1.5, 0.25, 0.9375, 1.8125, -0.5, 1.9375, 1.5, -1.3125, -0.3125, 1.5, -1.5625, -1.625,
    0.0707372016677029, 0.5918050750924775, 0.8775825618903728, 0.9689124217106447, -0.2393571231413216,
    -0.3585402173062328, 1.4962424799060816, -0.3711059388817844, 1.0579814545921595, 1.5170806215585164,
    -0.14982048081381344, 1.5169607064013613, -0.1875, -0.6875, 0.9824733131012553, -0.12815226652406053, 0, 3.25,
    -0.625, -0.875, 1, -0.9941296760805463, 0, -0.09467074271384482, -1.875, 0.125, 0.25, 2, -0.875, 1.1875, 1.0625,
    0.0625, -1.3125, 0.4375, 0.5, -0.25, -0.9919900576701199, 0.1403162048013338, 0.27632639016823696,
    0.9953222650189527, -0.7840750610598597, 0.9069217197816865, 0.035642442700729575, 0.0694303293497914,
    -1.39126854480615, 0.009041806092415273, 0.2623725226450741, -0.06886078828536064, -0.625, -0.75, -2, -0.25,
    1.4375, -1.875, 0.9375, 1.5625, -1.0625, 0.75, -0.3125, 0.1875, -0.623240882188418, -0.9953222650189527,
    0.95794060605646, -0.7111556336535151, -0.27632639016823696, -0.9919900576701199, 0.7157808147755671,
    0.48219830189640556, 0.03229216461576883, -0.3312544154300357, -0.15182915196193414, 0.006289842829540513, 0.0625,
    1.375, 0.07043197772238707, 1.5454725462349121, 0, 6, -6, -1.875, 1.5, 1.625, 0, 1, -1, -2.115710938304086,
    3.9259518588738967e-16, 4.253114513780055e-16, 0.8125, 0.875, 1, -0.3125, 1.625, 1.3125, -1.875, 0.5625, -0.9375,
    -0.5625, 0.3125, -1.1875, 1.2535347872132085, 1.3988752939670979, 1.7182818284590453, -0.2683843710533582,
    4.0784190371800815, 2.715450737941104, -4.225377726024766, 1.3493673528564927, -2.548389214180355,
    -0.411533791282486, 1.5870059491187756, -4.412097751305061, 0.8125, 1.875, -0.625, -0.0625, -1.6875, -0.4375,
    1.5625, -1, 0.5625, 2, -1.1875, 0.125, 1.2535347872132085, -0.4647385714810098, -0.8150186000926957,
    5.5208191203301125, -0.06058693718652421, -0.35435147357210794, 3.5211481050206386, 13.041638240660225,
    -0.5352614285189903, -1.1155530120910024, 0.10405203744785868, 0.0807060658034865, 0.0625, -1.0625,
    0.06449445891785943, -1.1310253626002258, 0, 1e-09, -40, -1.8125, 0.625, -0.125, 0, 1.0000000005000001e-09, -1,
    -1.8125, 0.625000000625, 0, 0.5, 0.5, -1.125, -0.875, -1.25, -0.125, 1.25, 0.9375, 0.1875, -0.75, 0.9375, 0.625,
    0.9740769841801067, 0.9740769841801067, 0.28115013624831475, 0.3484445810050557, 0.2519290813453729,
    0.6325990353171691, 0.7780741640023183, 0.5835556230017387, 0.045953439962319695, -0.22066122912224156,
    0.20878138014872702, 0.29299414164140236, -0.4375, 0.6875, -0.8125, -0.5625, 0.0625, -0.3125, 1.5, -0.4375,
    -0.3125, 1.125, 1.9375, 1.3125, 0.49813454751437536, 0.367242032138927, 0.7248853823577754, 1.0948510472537265,
    0.450937281595125, 0.5490548622706681, 0.5885052452506626, 0.7485868785901658, -0.13446913237855293,
    0.7032528356942576, -0.16113122366344237, 0.5545373331936221, 1.9375, 1.125, 2.072086537477125,
    0.9833368895604762, 0, 30, -30, 0.6875, -2, -1.5, 0.6931471805599453, 30.000000000000092, 9.357622968839737e-14,
    0.34375, -1.9999999999998128, -1.403643445325895e-13, 2.75, 0.75, 2.875, 1.8125, 0.75, 2.875, -1.5625, 1.3125,
    0.4375, 1.125, 0.4375, -1.25, 1.3217558399823195, 0.5596157879354227, 1.3545456628053103, 1.0340737675305385,
    0.5596157879354227, 1.3545456628053103, -0.4166666666666667, 0.75, 0.11290322580645161, 0.4, 0.25,
    -0.3225806451612903, 0, 1e-09, -0.5, 1.1875, 1.5625, 1.0625, 0, 9.999999995e-10, -0.6931471805599453, 1.1875,
    1.5624999984374999, 2.125, 1.375, 2.3125, 2.9375, 2.1875, 1.1875, 2.25, 0.9375, -1.75, -1.3125, 0.0625, 0.0625,
    0.8125, 0.8528028654224417, 0.6575959492214292, 0.5834599659915782, 0.6761234037828132, 0.917662935482247,
    0.6666666666666666, -0.2907282495758324, 0.24882008889459484, 0.1303474392108845, -0.009658905768325902,
    -0.024149024617953863, -0.12037037037037036, 0.25, INFINITY, -0.3125, 0.3125, 2, 0, 1.25, 0, -0.3125, 1.375,
    1.6875, -0.125, -1.625, 0.8125, 1.1875, -0.25, -0.4375, 0.8125, -1, -0.625, -0.0390625, 1.375, 1.6875, -0.015625,
    -0.203125, 0.8125, 0.1484375, -0.25, -0.4375, 0.1015625, -0.125, -0.625, 0, -0.5, 0.5, -1.1875, -0.1875, -1.3125,
    0, -0.005, 0.5, -0.011875, -0.001875, -1.3125, 0.125, -1.5, -2, -0.8125, -0.3125, -0.1875, 2, -1.9375, -0.6875,
    -0.875, 1.9375, 1.625, 0.125, -0.7768698398515702, -0.8646647167633873, -0.5562526899189202, -0.2683843710533582,
    -0.17097088181959966, 2, -0.43231468528758277, -0.09304300722517123, -0.38827889632094487, 1.4175052810841184,
    1.3471723170431507, 0, -0.5, 0.5, -40, 0.125, -0.6875, -1, 0.75, 0, -0.5902040104310499, 0.5, -1.5, 0.1875,
    -0.6254847428286532, -1, 4.779398537203037e-18, 2.5625, 0.375, 1.5625, 2.1875, 0.8125, 1.625, 1.25, -0.75, 0.3125,
    0.25, 0.6875, -1.875, 1.0625, -0.9375, -1.5625, -1.5625, -0.9375, 0.875, 3.242125653495155, 2.0867794400977164,
    1.1496582445669257, 1.2161496395488938, 0.8669689956950277, 0.4023925579246402, 1.6803700033359035,
    3.9127114501832185, -0.35926820142716426, -0.21716957849087387, -0.6877398283157671, -0.406261717135454,
    3.2414603806376165, 1.9188509244668168, -0.8016838234072627, -1.4874257629405794, 0.16876583582676388,
    0.17094414039920314, 1.4375, 0.3125, 1.5625, -1.5625, -0.3125, 1.9375, 0.6875, -1.75, 1.9375, 0.375, 0.8125,
    0.567201968116277, 0.8927863586355074, 6.1559749103173695, 1.4383327467767955, 0.4979161459026294,
    0.8698237104163927, -1.3279477581931183, 51.07801076839694, -0.3280649076561498, 13.012719062558812,
    -2.703280169518745, -2, 0, 0, 3, 3, 0, 2, 0, 0.375, 0.75, 1.375, 0.9375, -8, 1, 0, 1, 4.5, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 0, 2, 0.5, 1.25, -1.25, -1, 1, 0, 1, 0, 0, -0.5, 0, 0, 0, -2, -0.5, 0.25, 1, 2, -1, -1, 0.5, 0.125, 1.25,
    0.75, 0.9375, -1.75, 0.625, -1.75, 0.375, 1.875, -1, -0.5, 0.25, 0.125, 1.25, 0.5, 0, -1.75, 0.625, 0, 0, 0,
    0.9375, 1.875, -1.75, 0.375, 0, -2, 0.5, 3, 1, 1, 1, -1, -1, -1, -1.375, 1.5625, 0.125, -1, -1, -1, 0, 0, 0, 0, 0,
    0, -1.375, 1.5625, 0.125, 1, 2, 3, -1, 2, -1, 0, 0, 0, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 1, 0, 1, 2, 3,
    -1, 2, -1, 1, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 1, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, NAN,
    INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3, -1, 2, -1, 1, 0, 0, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0,
    1, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1,
    1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 1, 0, NAN, INFINITY, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0,
    1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, NAN, 0, 2, -1, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1,
    0, 0, NAN, 0, 2, -1, 0, 0, 1, 0, 0, -1, 0, 1, 1, -0.8125, -0.8125, 1.375, -1.375, 0.25, -0.125, 1.75,
    0.03900337219238281, -0.08400726318359375, -0.08400726318359375, 0.049640655517578125, -0.049640655517578125,
    0.2730236053466797, -0.5460472106933594, -0.3125, 0.375, 1.8125, 1.75, -1.8125, -0.75, -0.8125, -0.6875, -1.0625,
    0.3125, 0.25, -0.4375, -0.4375, 1.125, -1.75, -0.065460205078125, -1.05316162109375, -0.148681640625,
    -0.091644287109375, 0.0763702392578125, -0.6536865234375, -0.677032470703125, -0.1435546875, -0.346923828125,
    -0.035247802734375, -0.041656494140625, 1.1151123046875, -3.7913818359375, 1.040771484375, -0.5947265625, 1.0625,
    -0.8125, 1.1875, -1.25, -0.125, 1.5, -1.9375, -0.9375, 0.0625, -1, 1.1875, 0.6875, -0.5, 0.25, 1.5625, 1.75,
    -0.15771484375, -0.143798828125, 1.5234375, 0.64453125, 0.07421875, -2.9296875, 0.06640625, -1.904296875,
    -0.630859375, 1.5869140625, 0.0185546875, -1.203125, -0.5751953125, -1.1279296875, -0.0302734375, 1.640625, 1, 0,
    3, 0, 2, 0, -1.0625, -0.125, 0, 0, 0, -3.1875, 0, 0, 0, 0, -0.125, -1.75, 1, 1, -1.625, 0.1875, 1.0625, 0.3125,
    -1.625, 0.8125, 2, -1.5625, -1.75, -0.4375, 0.9875939433162801, 1.5578054475768146, 0.712946416151227,
    -0.08998352825209661, -0.47760488072266666, -0.14535800717646377, 0.10751051680459708, -0.06362867321088399,
    -0.14700417603893887, 0.10312233244522577, -1.125, -0.5, 0.625, 1.5, 1.125, -0.8125, -1.6875, -0.125, 1.125,
    0.0625, 1.1681538140730154, 1.1869516277703427, -0.4012742109411122, -0.2006371054705561, 0.1605096843764449,
    0.4414016320352234, 0.026327947381227575, -0.007678984652858043, -0.02303695395857413, 0.004387991230204596,
    1.4375, 0.4375, -1.9375, -1.375, 0.125, -0.3125, -1.25, -1.1875, -0.875, -1.1875, -0.8125, -0.25, -0.5625,
    -1.9375, -0.8125, 1.3103901693134503, 0.44633927678392815, 0.385275875185561, -0.22580941495846948,
    -0.08272226092537992, 0.859130176554685, 0.04521737771340448, -0.30754477756040394, 0, 0.15873731150545875,
    0.14979436437839067, -0.6782606657010671, -0.2260868885670224, 0.3514797457833188, -0.04393496822291485, 2, 2, 1,
    2, 0.5625, 0.6875, 0, 0.7071067811865476, 0, 0, -0.4861359120657514, 0.4861359120657514, 1.8125, -1.5, -0.5625,
    0.0625, -1.625, -1.9375, 1.5, -1.1875, 2.4190003100454534, 2.5295132931060076, 1.1239146967901439,
    -0.9301363007918433, -0.34880111279694126, -0.029341118784501925, 0.76286908839705, 0.9095746823195597, 0.5625,
    -1.5, -1.8125, -0.875, 1.5, -1.375, 1.625, 3.2799104408504816, 0.2786852008565769, -0.7431605356175383,
    -0.8979856472045256, -0.43351031244356397, 0.7431605356175383, -0.6812304909827435, -0.125, -0.1875, -0.625,
    -0.25, -0.8125, 1.8125, 0.0625, -0.75, 0.9375, 2.875, -0.0625, -0.0625, -0.0625, 0.75, 0.75, -0.75, -1.3125,
    1.3125, 1.625, 0.9375, -0.0625, 0.5625, -0.5625, 5.8125, 0.5625, -0.5625, -0.5625, -0.5625, 0.5625, -0.5625,
    0.125, 1.875, -0.625, -1.375, -1.875, 0.8125, 1.75, -1.9375, 1.8980488395543618, 2.134705460824151,
    0.007590026779137694, 1.7077560253059811, -0.18975066947844235, 0.8038429096299552, 1.4947492121218173,
    -0.28068068538731905, -0.75, -0.9375, 1.875, -0.4375, -0.75, 1.9375, 2, 2.4995441877324547, -0.18006565492177212,
    -0.28135258581526895, 1.1254103432610758, -0.06127234091088079, -0.18006565492177212, 1.2016881554154375, -2,
    1.3125, -1.25, 2, -1.5625, -0.9375, 2, -0.4375, 13.52688570086221, 13.1947612848382, -5.201324004686154,
    6.4206537452905375, -6.579212281326623, -1.1237347945970306, 1.2713607896237322, 1.6413197217446085, 0.1875,
    -1.125, -0.375, 1.25, 0.75, -1.5, -1.0625, 28.24762598674084, -13.041251785334957, 5.324068746871798,
    9.221557572571518, -5.050855097830002, -6.5206258926674785, 4.610778786285759, 0.875, -1, -1.1875, 0.8125, -1.125,
    -0.6875, -1.625, -1.1875, 1.1875, 1.125, 0, 0, 1.625, 0, 1.1875, 0, -0.625, 0.25, -1.5625, 1.0625, 0.375, -1.3125,
    1.3125, 1.5625, 0, 0, -1.3125, 0, 0, 0, 0, 0, 0, 3, 0.5625, 1.3125, 0, 3, 0, 0, 0, 1.3125, 0, 0, 0, 3, 1.6875,
    -0.5, 0, 3, 0, 0, 0, -0.5, -2, 2, 1, 0.75, 2, -0.375, 0.375, 0, 1, 0.125, 1.6875, -1.125, 1.375, 0.8125, 1.3125,
    -1.0625, 0.4375, -0.1875, 1.1875, 1.25, 1, 0.125, 2.6875, -1, 4.0625, -0.1875, 2.9375, 0, 1.625, 1.0625, 1.1875,
    1.25, -0.0625, -0.5625, 1.875, -0.3125, 1.4375, 0.4375, -0.0625, 0.5, 1.1875, -0.5, -1.625, 0.375, -0.0625,
    -0.625, 1.25, -0.3125, 1.125, 1.5625, 1.625, 1.6875, 1.1875, -1.75, -1.25, 0.375, 1.375, 0.0625, 1.8125, 1.75,
    -0.8125, -0.3125, 0.4375, 1, 0.0625, -0.1875, -0.9375, -0.3125, -1.8125, -0.6875, -0.3125, 0.8125, 1.3125, 1.125,
    -0.875, 1.0625, 0.3125, 0.0625, 1.9375, 1.0625, 1.375, 0.0625, 3.1875, 1.8125, 2.375, 1.5, 0.4375, 1, 0.5, 0.8125,
    -0.4375, 0.5, -0.8125, 1.25, 1, 1.9375, 1.3125, 1.125, 1.375, 2.1875, 2.25, 1.125, 1.9375, 1.0625, -0.9375, 0.875,
    1.125, -0.8125, -0.9375, -1.75, 0.25, -1.1875, 1.8125, 1.375, 0.4375, -1.25, -0.9375, 0.1875, -0.75, 0.875,
    0.0625, -1.6875, 0.875, 0.5625, 0.625, -0.8125, 1.8125, -1.25, 1, 3, 3, 0.5, 2, 2, -1, NAN, 3, 0, 1, 2, 2, 0, 1,
    3, -0.875, -0.875, -1.625, -0.6875, -1.9375, 0.25, 0.875, -1.25, 0.1875, 0.75, 4, 2, 2, 3, 0, 0, 1, 4, 3, 1,
    1.875, -1.75, 1.75, -1.0625, 0.75, -1.0625, 1.4375, 1.1875, -0.4375, -2, -1.0625, 1.1875, -1.0625, 0.1875, 1.5625,
    -0.125, 0.9375, -1.25, 1.375, -1.125, -0.4375, -2, 0.75, -1.75, 1.4375, -1.0625, 1.75, -1.0625, 1.875, 1.1875,
    1.375, 0.1875, 0.9375, -0.125, -1.0625, -1.25, 1.5625, -1.125, -1.0625, 1.1875, 1, 3, 3, 0.5, 2, 2, -1, NAN, 1, 2,
    0, 3, 3, 0, 1, 2, 1.875, -0.4375, 0.6875, -0.9375, 0.5, 0.875, -1.125, -1.3125, 1.375, -1.9375, 0, 3, 2, 0, 4, 1,
    1, 2, 3, 4, 0.25, -0.9375, 1.875, 0.3125, -0.4375, 2, 1.375, -1.375, 1.3125, -1.875, 1.9375, 0.8125, 0.8125, 0.5,
    1.5625, 0.625, -0.9375, 0.3125, 1, 1, 1.875, 2, 1.375, 0.3125, 1.3125, -0.9375, 0.25, -1.375, -0.4375, -1.875,
    -0.9375, 0.625, 1.9375, 0.5, 1, 0.8125, 0.8125, 0.3125, 1.5625, 1, 1, 4, 2, 3, 0.5, -1, 8, -2, 1.5625, 1.8125,
    -1.4375, -1.625, 1, 2, -2, -1, 1.5625, 0, 1.8125, 0, 0, -1.625, 0, -1.4375, 1, 4, 2, 3, 0.5, -1, 8, -2, -1.375,
    -0.4375, 1.3125, 0.5625, 4, 3, 8, 0.5, 0, -1.375, 0, -0.4375, 0.5625, 0, 1.3125, 0, -0.5, 1, -1.3125, -0.1875,
    0.6875, -1.25, 0.625, -0.5, 0.5, -1.4375, 1, 0.6875, 0, 0.5, 0, 0, -1.4375, 0, 0, 0, -1.6875, 0.5625, 0.5, -1.5,
    -1.9375, 1.0625, 1.375, 1.75, 0.5, 1.0625, 0, 0, 1.375, 0, 0, 1.75, 1.9375, 0.375, -1.5625, 1, -0.875, -1.5625,
    0.75, -0.6875, 1.625, -0.25, -1.5625, -1.5625, 0, 0, 1.625, 0, 0, -0.25, 0, 0, 0.125, -0.9375, -1.9375, 2, -1.125,
    1.125, 0.5, -1, -1.9375, -0.9375, 0, -1, 0.5, 0, 0, 0, 1, 3, 1, 2, 2, -1, 0, 1, 1, 1, 3, 1, 2, 2, -1, 0, 2, 1, 3,
    1, 2, 2, -1, 0, 2, -0.8125, 0.1875, 1.4375, -0.4375, -0.9375, 1.8125, 2, 0, 2, 1, 1.125, 0.1875, -0.5, -1, 0.75,
    -0.875, 1.25, 1.5, 0.875, 0.625, -0.0625, 0.6875, 0.75, -1.6875, -1.3125, -0.8125, 2.6875, 1.0625, 0.9375, 1.125,
    0.875, 0.625, -0.0625, 0.6875, 0.75, -1.6875, 0.75, -1.6875, 0.875, 0.625, 0.75, -1.6875, -0.0625, 0.6875, 0.9375,
    -0.875, -0.5, 0.1875, -1.5625, -1, 1.25, 1.25, -1.6875, 2, 0, 2, 1, 0.75, -0.5, 0.3125, -1.125, -1.5, -0.5625,
    1.125, 0.5, 0.5, -1.5, -2, -0.5625, 0.375, -1.6875, 0.375, -1.125, -0.5, -0.75, -0.75, 1.625, -0.25, 0.4375, -2,
    0.5625, -0.375, -1.0625, -1.375, -0.25, 0.6875, -3.1875, 0.375, -1.6875, 0.375, -1.125, -0.5, -0.75, -0.75, 1.625,
    -0.25, 0.375, 0.375, 0.375, -1.6875, -0.75, -1.125, -0.75, -0.5, -0.25, -0.75, -0.25, 1.625, 0.125, -1.25, 0.5,
    1.125, -1.25, -0.375, 1, 1, 0.875, -1.3125, -0.375, -0.6875, 0.8125, -1.9375, 0.0625, -0.5, 1.3125, 0.375, 0.125,
    1, -1.25, -1.25, -0.875, -0.375, 0.8125, -0.5, -1.9375, 1.3125, 0.0625, 0.375, -1.9375, 1.3125, -1.9375, 1.3125,
    -0.375, 1.5, 0.0625, 1, -0.0625, 1.25, -0.125, 0.625, -1.5, 0, 2, 1, 2, 2, 1, -1.875, -1.0625, -1.25, 1.625,
    -1.8125, 0.8125, 1.25, -1.75, 1.875, -1.0625, 0.5, -0.5625, -1.5625, 0.75, -0.8125, -2.25, 1.5, 0.0625, 1,
    -0.0625, 0.8125, 1.5, -2.25, -1.5, 1.25, -1.75, 1.875, -1.0625, 0.5, -0.5625, -1.5625, 0.75, -0.8125, 1.25, 0.75,
    -0.5625, -1.5625, 0.75, -0.5625, 1.125, 1.625, 0.6875, -1.0625, -1.5625, -1.375, 0, 2, 1, 2, 2, 1, -1.75, 1.9375,
    -1, -0.5625, -0.75, -1, 0.6875, -0.9375, 1.75, 0.5, -1.8125, -1.3125, -0.625, 0.625, 2.625, -1.0625, -2.5625,
    -2.6875, 0.6875, -0.9375, 1.75, 0.5, -1.8125, -1.3125, 0.6875, 1.75, -0.9375, -1.3125, -1.3125, -1.8125, -1.875,
    -0.0625, 0.5, -0.4375, -1.8125, -1.125, 1, 1, 0, 1.75, 1.25, -1.8125, 0.9375, 1.6875, 1.6875, -1.25, 0.6875,
    -0.3125, -3.6875, 2.9375, 0.5, -0.4375, -1.8125, -1.125, 0.9375, 1.6875, 1.6875, -1.25, 0.6875, -0.3125, 1.6875,
    1.6875, 0.9375, -1.4375, 0.125, 0.375, -0.4375, 1.3125, 0.5625, 2, 0.3125, 0.375, -1.1875, -0.125, -0.625, 1.375,
    1.4375, -0.125, -1.625, -0.8125, 0.875, -1.125, -0.25, -0.693891014819344, -0.19107143886329764,
    -0.06033834911472557, 0.3519737031692325, 0.3973663161934299, -0.5392828576910834, -0.20183685901888504,
    -0.15768504610850392, -0.4040442134092269, -2.1044723248695565, 0.2986604492133396, 0.98235862028144,
    -0.13301023080864555, -0.7904651133884035, 0.28569085776287806, 0.15304766572504613, -3.4052274060900256,
    0.6286633211332113, -1.876870080284691, 0.8520576097966029, 0.875, 0.5625, -0.3125, 0.9375, -1.25, 0.5625,
    -1.4375, 1.6875, 1, 1.4375, -0.375, -0.5625, 1.8125, -1.0625, -0.8125, 1.5625, -1.25, -0.3125, -1.4375, 0.75,
    -0.375, -1.9375, -1.25, -1.375, 1.245901411568959, 0.8009366217229023, -0.4449647898460568, 0.9285952930050362,
    -1.2381270573400482, 0.5571571758030217, -0.9988049182760572, 1.172510121454502, 0.6948208127137789,
    1.4817652016747795, -0.3865474439151598, -0.5798211658727398, 1.5348700976886265, -2.1852610819599163,
    -0.783363566664568, 0.6816974472579977, -0.08351189145063165, -0.8291085889852495, -0.5235124093906064,
    -0.03683646611280367, -0.5911960718184155, -1.187398021202033, -1.49973420294145, -1.734204712525295, 0.6875,
    -1.375, 2, 0.4375, -0.5625, 1.4375, 1.3125, 0.25, 0.0625, -1.0625, 0.9375, 1.8125, -1.0625, 0.625, 1.625, -1.6875,
    0.625, 0.25, -0.25, 0.1875, 0.03367701298505742, -1.6654813694428396, -0.41330879572570467, 1.864481900718179,
    -0.08375702647647851, -0.4530493704864065, 1.3134624606538674, 0.44162795778506847, 0.46472197382201896,
    -0.0961872207512551, 0.982862938571608, -0.2161667102474485, 0.771192787692584, -0.08806699413063326,
    -1.4106334153036997, 0.35563162223377986, -1.4100794855107612, 1.086294775080825, -1.066658568765586,
    -1.690211291242608, -1.125, 1.25, -2, 0, 0, 0, -1.25, -1.0625, -1.3125, -0.375, 0.875, -0.1875, 0.9375, 1, 0.6875,
    -0.0625, 0.0625, 0.4375, 1.875, -1.9375, -0.0625, -1.375, -1.125, 1.0625, 1, -0.625, 0.6875, -0.75, -0.75,
    -1.6875, 1.0625, -0.8125, -0.25, 0.6875, -1.9375, 0.125, -0.3125, 1.1875, 0.6875, -0.6875, -0.5625, 1.625, 1.375,
    -0.25, 1.125, -2, 0.25, -0.625, -1.5625, -0.9375, -1.625, 0.9375, 0.75, 0.5625, -1.25, -1.0625, -1.3125, -0.375,
    -0.31611453062278067, -0.1974904584122914, 1.2428205234582905, 0.998075031666509, -0.3429320393027655,
    -0.07123691709499433, 0.5991328036584598, 0.43616258624829446, 1.875, -1.9375, -0.0625, -1.375,
    -1.4493110789095538, 1.068696771276561, -0.40635255204074383, -0.6143439273428637, 0.39587211999310085,
    -0.7161022549549337, 0.937252108353013, -1.7021615112698498, 1.0625, -0.8125, -0.25, 0.6875, -1.3097954003719885,
    0.13686855213640609, 1.4615055624815059, 1.1861906463280192, -0.7975807527156062, -0.654864671206606,
    -0.39105938538488855, 1.6384240941848554, 1.375, -0.25, 1.125, -2, -1.1797228372953033, -0.634343594011197,
    -1.0545900991209425, -0.9312032295567695, 1.3582116795083676, 0.9485617562649166, 1.165498191181376,
    0.5436387537249502, -1.3125, -1.0625, -0.1875, -1.4375, 0.0625, 0.4375, 1.875, -0.8125, 1.0625, 0.0625, 0.375,
    0.125, 1.9375, 0.0625, -1.875, 0.9375, 1.9375, 1.3125, -1.1875, -0.4375, -0.0625, -1.0625, -0.5625, -0.625, -1.75,
    -1.1875, -1.875, 1, -1.4375, -0.875, 1.1875, -1.8125, -1, -2, -0.625, 0.5, 1, -0.4375, -1.125, 1.8125, -1, 1.5,
    -1.75, 0.75, -0.5625, 0.625, -1.625, 1, -1.3125, -1.0625, -0.1875, -1.4375, -0.33437466173669594,
    0.28897419536780466, 1.8830311153652577, -0.793709687836978, -0.4989871030079439, 0.9401193387180904,
    0.37242516916330004, 0.13247450084332213, 1.9375, 0.0625, -1.875, 0.9375, -0.05759494994084324,
    2.3394968095172333, -1.183065698411092, -0.44935292726661397, 0.9921376932864832, 0.38532492465473367,
    -0.5498883370666168, -0.636124254181611, -1.75, -1.1875, -1.875, 1, -1.5129716763923602, 0.736850023026729,
    1.169315927576613, -1.8242841778395287, -1.402448017104221, 1.7415910999199666, -0.6148756708199445,
    0.512399170016622, 1, -0.4375, -1.125, 1.8125, 0.7219041713437049, 1.6519244436101062, -1.7424126257285393,
    0.7674622086472906, 0.8023934873238187, 0.251388029747482, -1.6046763441398557, 1.032297840043244, 1.5, 1.5625,
    -0.75, -1.0625, -1.125, -1.75, -1.3125, 1.9375, 0.125, 1.1875, -0.75, 0.5, 0.8125, -1.75, -1.625, 1.1875, -1.6875,
    1.8125, 1.9375, 2, 0.125, -1.25, 1.875, -0.875, 0.3125, 0.875, -1.875, 0.625, 1.75, 0.875, 0.4375, -1.1875,
    1.4375, 1.8125, 1.5625, -0.625, -0.928819502257649, 1.6797592935721708, -0.7474990787917424, 1.5862536311151043,
    -0.9409781961649918, -1.7510697094077943, 1.7473064510939702, 2.0163866611157726, 0.12420614231725102,
    -0.2823697327359894, -0.5005907339078357, 0.5001977950877701, 1.1910842498942518, -1.5000953992157535,
    -1.6281624019199354, -0.8072365264616362, -1.9130786819291385, 1.809659758897873, -2.2804629889537575,
    2.199312167812434, 0.1237497945298404, 0.34043326219994285, 1.6366584825528416, -0.8751776895887042,
    -0.6022230471422474, 1.0879676156775204, -1.8736086623113883, -0.3544131085198547, 1.6261769483168096,
    0.8779752732917534, -1.8105460065033778, -0.9602573914954828, 1.4364064708567357, 0.44551729296927484,
    1.7115689416667652, -0.6275091238228314, -2, -0.75, -1.4375, 0.3125, -2, -1.9375, -0.875, 2, 1.8125, 0.625,
    -1.9375, 0.625, -0.1875, -1.625, 1.5625, 1.4375, -1.125, -0.875, 0.375, 0.0625, 0.1875, 1.625, 0.3125, -1.9375,
    -0.625, 0.4375, 1.0625, 0.3125, 2.085824999245791, 0.4602543563305997, -1.4656462676997273, -0.12626764422392384,
    -2, -1.9375, -0.875, 0.06441728101839606, -2.698334053431153, 1.3301611594748137, -1.5411692119376832, 0.625,
    -0.1875, -1.625, -1.344003264352137, -1.6436142264566829, -1.3333337310949789, -0.5034591954908982, 0.375, 0.0625,
    0.1875, -1.298671663687097, 1.0255404233555045, -2.0279421398234962, 0.17883491697120724, 0.4375, 1.0625, 0.3125,
    1.25, 0.125, -1.5, 1.375, -1.5625, 0.5, -0.75, -0.875, -0.75, -0.3125, 2, -1.75, 1.0625, 0.1875, 0.0625, -0.875,
    0.9375, 0.625, 0.375, -1.5625, -1, -1.5625, -0.1875, 1, -1.625, 1.0625, 0.125, 0.3125, 2, 0.625, 1.25, 1.375,
    -0.75, -0.3125, 1.0625, 1.3823362019958558, -0.7390384798179813, -0.875, 2, 0.1875, 0.16957154140787278,
    -1.5720195585120937, -0.75, -1.75, 0.0625, -0.875, -1.855100719630478, -0.3284938354781286, 0.9375,
    -0.0027513681110719057, -1.0181468705706795, 0.625, -0.1875, 0.3125, 0.375, 1, 2, -1.5625, -1.625, 0.625, -0.125,
    0.25, 1.125, -1.75, 0.875, 0.75, 1.1875, 0.25, 0.5625, -1.75, 1.5, -1.1875, -0.9375, 1.8125, 1.875, -0.875, 1.125,
    0.625, -0.06958610863983306, 0.03513603130536238, 0.47771964012717105, 0.453394543972049, 0.9263428490360772,
    -0.6048935289530843, -0.4872413212055443, 0.28261860352399587, 1.015728008226001, -0.11128963613134056,
    1.4976241619603063, -0.6253671463061843, 0.05493640155776294, 0.25473622696387727, 1.5923988004239036,
    0.2266972719860245, 0.694757136777058, 0.31836501523846544, 1.25, 0.0625, -0.375, 1.9375, -1.5625, -0.1875, 1.875,
    0.5625, 0.8125, 1.875, -0.8125, 1.4375, 1.9375, 2, 1.125, -0.6875, 0.1875, -0.875, 0.0625, 0.75, 2, -0.3125,
    -0.6875, -1.5, 0.6875, -1.8125, -0.5625, -0.875, -0.3125, -2, -0.875, 1.625, 0.25, 1.5, 1.8217965496281823,
    0.06042420887379089, 0.5465389648884547, 0.018127262662137267, 0.7894451715055457, 0.026183823845309383,
    1.8217965496281823, 0.06042420887379089, -0.2864062969072947, 3.1753587058723713, -0.08592188907218841,
    0.9526076117617114, -0.12410939532649437, 1.3759887725446942, -0.2864062969072947, 3.1753587058723713,
    -0.507680290808574, -0.15934986844290921, -0.1523040872425722, -0.04780496053287276, -0.21999479268371538,
    -0.06905160965859398, -0.507680290808574, -0.15934986844290921, 0.8267735154959436, 0.8611730927654878,
    0.6249445267516287, -3.682482729109596, 0.07444956565108053, 0.5561669986522574, 0.7441440202656624,
    1.3668356645418545, -1.265534686248556, -3.215717967249722, 0.6875, 0.875, -1.9375, 0.125, 1.3125, 0.9375, 0.25,
    -1.75, -0.625, 1.3125, 1.3125, 1.8125, -1.6875, 0.11436743978460866, 0.1543904748393462, -0.06099383921701721,
    0.016600292917929884, 0.2585399235703248, 0.1684205607587944, -0.3580828605581379, -0.13866890388521355,
    -0.028655333616154622, 0.1845170316446817, 0.4564075306278085, -0.3831352115848868, -0.682038722897842, 0.5,
    -0.4375, -0.5, 0, 0, 0, -0.4375, -0.4375, -1.8125, 0.6875, 0.0625, 0.625, -0.625, -0.25, -1.125, 0.9375, 1.6875,
    1.6875, 0.1875, -1.375, 0.4375, 0.1875, -1.875, -1.25, -0.4375, -0.1875, 0.75, 1.8125, 0.625, 0.875,
    0.1072796019988187, -0.514653479030739, -0.2896549253968105, 0.006042420887379088, -0.1112822603378394,
    -0.7633064820305323, 0.07875903693237543, 0.3645418280869948, -0.02141763508458537, 0.17264709348338794,
    0.18053508209782518, -1.3014867801054566, 0.07509572139917309, 0, -0.08577557983845649, 0, -0.12873552239858244,
    0, 0.05841006857799786, 0, -0.15897465762548485, 0, 0.3562096916142484, 0, -1.875, 0.875, 1.3125, -1.875, 0.0625,
    -1.4375, 0.46745240694549345, 0.5403666619377117, 1.3573345987442051, 0.17497115233972543, 0.08713173506966129,
    -3.3869910889192942, -800, 40, 0, 1, 2, 3, -0.5, 1.125, -1.4375, 0, 80, 0, 0, 2.25, -2.15625, 0, 45, 0, 1.3125,
    -1.5625, 0.8125, 0.75, -1.9375, -1.75, 0.5625, -0.125, -1.1875, 0.0625, 1.9375, 0.4375, 1.0625,
    1.4760789374431729, 0.039920107561762605, 0.05282186979998491, 0.3329418095134428, 0.10920351964564251,
    -0.32080013539377866, -0.05125726701522165, -0.232421875, 0.2766927083333333, -0.14388020833333334, -0.1328125,
    0.3430989583333333, 0.3098958333333333, -0.0625, -0.6875, -1, -0.625, 1.75, 1.125, -1.9375, 0.3125, 0.1875,
    -1.4375, 0.1875, -0.625, -1, 1.3645833333333333, -0.16666666666666666, 0.16666666666666666, 0.16666666666666666,
    -0.16666666666666666, -0.16666666666666666, -0.16666666666666666, 0.16666666666666666, -0.16666666666666666,
    -0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.375, -1.5, -1, 1.5, 1.4375,
    -0.5, 0.5, 2.8125, 1.4375, 2.125, 3, 0.4375, 1.0625, 0.9678109330606776, -0.08854166666666667, -0.498046875,
    -0.2545572916666667, -0.37630208333333337, -0.53125, -0.07747395833333334, -0.012067729890823636,
    0.6258255630001995, 0.418431181174159, 0.04493875667081737, 0.1170719677849778, 0.11923400266525049, 1.8125,
    1.0625, 1.375, -0.375, 1.3125, -1.5625, -0.4375, -0.1875, 1.75, 0.0625, -1.4375, -0.0625, -0.9375, 0.875, 1,
    -1.375, 1.0625, 1.162841796875, 0.00830078125, 0.1328125, 0.166015625, -0.04150390625, 0.166015625, -0.166015625,
    -0.166015625, 0.15771484375, -0.00830078125, -0.1328125, -0.166015625, 0.04150390625, -0.166015625, 0.166015625,
    0.166015625, -0.15771484375, 1.25, 0.25, -1.125, -0.8125, 1.875, 0.5625, -1, 0.375, 0.875, -0.3125, -2, -0.125,
    0.3125, 11.714404258812182, 0.555406206617091, 0.0584926565268119, -0.19684843339613384, 0.19370563027039495,
    0.8959486749381783, 0.23813462327511972, -0.390625, -0.078125, 0.3515625, 0.25390625, -0.5859375, -0.17578125,
    0.5625, -1.1875, 1.875, 0.9375, 1.25, -1.25, 1.9375, 1.0625, 1.4375, 0.75, -0.8125, -1.5625, -1.4375, 6.625,
    1.4375, 1.4375, -1.4375, -1.4375, -1.4375, -1.4375, -1.4375, -1.4375, 1.4375, 1.4375, 1.4375, 1.4375, 1.5,
    -0.8125, -0.3125, 1.625, -0.625, 0.6875, 0.3125, 2, 0.3125, 1.75, 0.5625, 1.75, -0.875, -0.14706821874293396,
    0.2734375, 1.75, 0.2734375, 1.53125, 0.4921875, 1.53125, 1.4552569585799708, -2.192441282989952,
    -0.13068054142002916, 0.05721118555650517, -0.9184313732093834, -0.7631013144434948, 1.5625, 1.3125, 0.75, 1,
    -1.3125, 0.3125, 1.625, 0.5625, -0.375, -0.25, 0.125, 1.25, 0.4375, 0.75, 0.875, -1.5625, -0.125, 6.697265625,
    -0.15625, -0.15625, -0.078125, 0.03125, 0.15625, 0.0546875, -0.09375, -0.15625, 0.15625, 0.15625, 0.078125,
    -0.03125, -0.15625, -0.0546875, 0.09375, 0.15625, 1.375, 1.0625, -0.4375, 1.375, -0.9375, -1.6875, -1.4375,
    0.8125, -0.25, 1.8125, -1.75, 0.625, -0.125, -1.375, -1.5625, 0.8125, -1.125, 0.9375, 3.5769751516016477,
    0.4960518878712067, 0.38875954751437536, -0.8917748483983521, -1.3101667923977793, 1.2244145781831508,
    -0.2794608472174527, 0.09533148815783847, -1.003651297136107, -0.8241294930865578, -2.2853313083577866,
    -0.4395891586448837, 0.171875, 1.4609375, -0.68359375, -1.1171875, -1.0546875, 1.58203125, -1.9375, 0.75, -1.875,
    0.1875, 1.8125, 1.5625, 1.8125, -1.8125, 1.125, 1.0625, 0.875, -0.25, 0.625, 1.1875, 1.5625, 1.4375, 1.75,
    -0.5625, 3.75, 2.5625, 3, 0.875, 0.9375, 1.8125, -0.625, 1.1875, -1.5625, -1.4375, 1.75, -0.5625, 0.625, -1.1875,
    1.5625, 1.4375, -1.75, 0.5625, -1.875, 0.625, 1.5625, 1, 1.0625, -1.625, 1.125, 1.4375, 3, 2, 2.75, 2.8125,
    0.0625, -0.1875, -1.875, 0.9375, -1.6875, 1.75, 2.2418809151134313, -0.3767608528215328, -1.3916631339956709,
    -0.6137056388801094, -0.13997249288418034, 7.478644971179639, -0.0703125, 0.26953125, 5.625, -1.875, 4.640625,
    -4.921875, 0.18704893972852396, -0.13835728006675657, -1.0052105412527057, 0.6498254817749487, -1.601607788457435,
    6.403379093178442, -0.125, -0.75, 0.9375, -1.8125, 0.375, -1.4375, -0.0625, 1.375, 1.5, 1.4375, -2, 0.625, 1.9375,
    1.6875, 1.0625, 1.1875, 0.1875, -1.8125, -1.9375, 0.875, 1.3125, -0.6875, -1.875, 1.6875, 1.25, 1.953125,
    2.890625, 2.265625, 1.171875, 3.125, 0.6328125, 0.017578125, -0.234375, 2.265625, -2.421875, -1.09375, -1.640625,
    0.859375, 2.109375, 0.31640625, 0.234375, -2.265625, 2.421875, 1.09375, 1.640625, -0.859375, -2.109375,
    -0.31640625, -800, 800, 0, 0, 1, 0.5, -1.6875, 0.75, -0.6875, 0, 0, 0.6931471805599453, 0, 0, 0, -1350, -600, 0,
    -1, -2, 0, 1, 1.3125, -1.0625, 0, 2, 0, 1.0625, 0, 0, -0.1875, 0.3125, -1.4375, -1.75, 1.25, -1.8125, -0.5625,
    -1.0625, 0.6875, -1.4375, 0.6875, 0.25, 1, -100, 3, 0.9375, 2.4375, 1.625, 0.5625, -1.625, 0.7974136869330751,
    -0.41983489417616265, 0.6281217797896232, -0.12028471107076089, -0.08800217454269982, 0, 0, 0, 0,
    -0.11019114647601048, -0.013160455700342813, -0.11019114647601048, 0.23354274865236382, -0.25, 0.9375, -2, 0.4375,
    -1, 1.75, 1.5, -1.9375, -2, -1.0625, -0.625, -1.4375, 1, -100, 3, 1.9375, 1.4375, 1.125, 0.6875, -1,
    1.2673946673533256, -0.045465724110192174, 0.21370839677530762, 0.015284917846152591, -0.1835275905112681, 0, 0,
    0, 0, 0.014322027904303541, -0.06666505508422037, -0.13564825583004123, 0.18799128300995804, 1.0625, -0.4375, 0.5,
    -1.3125, -1.875, -1.8125, 0.0625, -1, -1.875, 1.25, 0.125, 0.375, 0, 2, 1, 1, 0.125, 1.2484914268004366,
    -0.014954796442525122, 0.0034493552693502854, 0.011505441173174834, 0, 0, 0, 0.026234582185275586,
    -0.028528031498046433, 0.0022934493127708465, 0.0221894243793007, -0.030426960314612488, 0.008237535935311789,
    1.25, 1.25, -1, -1.3125, 0.4375, -1.375, -1, -0.4375, 1.5625, -1.8125, -1.875, 0.375, 1, -100, 3, 3, 1.5, 2.25,
    2.75, 1.8125, 5.304768735908372, 1.2456982205810896, -1.4730517794189104, 0.13129562648734108, 0.0960579323504794,
    0, 0, 0, 0, 3.634659379968859, 0.12437120468638112, 0.11683593432023501, -3.8758665189754753, 1.5, 0.3125,
    -1.5625, 0.25, 0.375, 0.4375, 0.375, -1.8125, -0.25, -1.3125, -1.5, 0.625, 1, -100, 3, 2.875, 0.9375, 2.75, 2.625,
    0.6875, 4.222331666415996, 0.4125060090446428, -0.3601983218903372, -0.09309308357574692, 0.04078539642144124, 0,
    0, 0, 0, 0.31017947070783763, 0.10960456120900086, 0.006097258591848402, -0.42588129050868706, -1.1875, 0.875,
    1.1875, -0.8125, -0.0625, -0.625, -1.3125, -0.875, 1.9375, 1.75, -0.6875, -0.375, 0, 2, 1, 1, -1.5,
    8.11016691305092, 1.2985342371982227, -0.5389498130329292, -0.7595844241652937, 0, 0, 0, 0.009569727568725272,
    1.2930199903434827, -1.3025897179122081, -1.1804442256815901, 1.2663927439447218, -0.08594851826313171, 1, 1.375,
    2, 1.375, 0.9375, -0.4375, 0.3125, -0.1875, 1.875, 0.6875, 1.9375, -0.1875, 1, -100, 3, 1.125, 0.3125, 2.9375,
    2.9375, -1.9375, -0.375, 1.6875, 0.47385719656777847, 0, 8.746215305173486, -0.09134649584292742,
    0.4725603827930834, -0.24830551974323933, -0.13290836720691662, 0, 0, 0, 0, 1.9855024900961116,
    0.6055440467122148, 2.113556398874923, -4.7046029356832495, -1.8125, 1.8125, 1.25, 0.125, -1.875, 2, 1.25, 0.875,
    1.625, 2, -1.375, 0.0625, 1, -100, 3, 0.625, 0.625, 2.375, 0.25, 1.5, -1.5625, -0.25, 0.6619651686161556, 0,
    1.1771187198600215, -0.04264081891669169, -0.1630894275146618, 0.11843245633245462, 0.08729779009889897, 0, 0, 0,
    0, -0.029809336644906138, -0.04781560442718305, 0.035139053678929465, 0.042485887393159734, -1.625, 0.8125, -0.5,
    -0.125, 1.6875, 0.1875, -0.5625, -1.5625, 0.25, -1, -0.9375, -1.375, 0, 2, 1, 1, 1.0625, 0.0625, 1.0625, -0.3125,
    2.5939890591155765, 0, 2.1696771203701917, 0.9705826666351873, -0.9055186144391739, 0.7389802724995037,
    0.16653834193967032, 0, 0, 0, 0.2491228336137183, -0.8660248350936117, 0.6169020014798935, -0.100541869911723,
    0.16557146498923764, -0.06502959507751463, 800, 0, -800, 0, 0, 0, 2, 1, 0.4375, 800.5493061443341, 0.21875, 0,
    -0.21875, 0.07291666666666666, -0.14583333333333334, 0.07291666666666666, -0.75, -1.375, 0.3125, -0.3125, 0.125,
    0.5, -1.0625, 1.9375, 0.125, -0.1875, -1.625, -1.4375, 0.3125, -1.375, -0.75, 0.5, 0.125, -0.3125, 0.125, 1.9375,
    -1.0625, -1.4375, -1.625, -0.1875, -1.5, 1.1875, 0.875, 0.5, 1.875, -1.875, -0.75, 1.1875, 1.5625, 0.375, -0.0625,
    0.625, -0.8125, 0.6875, -1.5625, 1.3125, -1.75, 1.25, 0.125, -0.875, 2, -0.75, -1.125, 0.4375, 1.1875, 1.1875,
    0.375, 0.5, 0.625, -1.875, -0.75, -1.5, 1.5625, 0.875, -0.0625, 1.875, -0.875, 0.6875, -0.75, 1.3125, 0.4375,
    1.25, 0.125, -0.8125, 2, -1.5625, -1.125, -1.75, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1, -0.5, 1.1875, 1.3125, 0.25,
    -1.0625, 1.3125, 1.1875, 1.5, 1.875, -1.8125, -0.875, 0.1875, 1.3125, -0.5, 1.1875, 1.3125, 0.25, -1.0625, 1.5,
    1.875, 1.1875, -0.875, 0.1875, -1.8125, 1.8125, 0.9375, 1.375, -0.5625, 1.875, -1.5625, 1.875, 1.625, -1.1875,
    -0.3125, -0.1875, -1.3125, 0.9375, 1.375, 1.8125, 1.875, -1.5625, -0.5625, -1.1875, 1.875, 1.625, -1.3125,
    -0.3125, -0.1875, 0.0625, -0.5, 1.375, 1.25, -1.625, 1.125, 0.1875, -1.8125, -1.125, -1, 0.3125, 0.8125, -0.5,
    1.375, 0.0625, -1.625, 1.125, 1.25, -1.125, 0.1875, -1.8125, 0.8125, -1, 0.3125, -1.8125, -0.8125, 0.8125, -0.75,
    -0.875, -0.5, 1.0625, -0.5625, 1.625, 1.8125, 0.75, -1.625, -1.8125, -0.8125, 0.8125, -0.75, -0.875, -0.5, 1.0625,
    -0.5625, 1.625, 1.8125, 0.75, -1.625, 0.5625, -0.3125, -1.4375, 1.9375, 0.0625, -1.0625, 1.1875, 0.25, -1.5625,
    -0.6875, -0.375, -1.25, -0.8125, 0.6875, -0.375, 1.125, -0.6875, -1.875, -0.6875, 1.0625, 0.3125, -0.1875, -1.5,
    1.875, -0.1875, -1.5625, -1, 0.5, 0.5625, -0.3125, 0.5625, -0.3125, 0.5625, -0.3125, -1.4375, 1.9375, -1.4375,
    1.9375, -1.4375, 1.9375, 0.5625, -0.3125, 0.5625, -0.3125, 0.5625, -0.3125, -1.4375, 1.9375, -1.4375, 1.9375,
    -1.4375, 1.9375, -1.375, -2.5, -4.25, 1.375, 1.25, -0.3125, -0.625, 1.4375, 0.0625, 0.8125, -1.6875, 0.0625,
    1.0625, 1.375, -0.9375, 0.75, -0.1875, 1.8125, -0.3125, -1.9375, -1.5, 1.9375, -1, -0.5, 1.875, -0.9375, 0.5625,
    -1.875, -1.9375, -0.5, 1.9375, 1.875, 1.25, -0.625, 1.25, -0.625, 1.25, -0.625, -0.3125, 1.4375, -0.3125, 1.4375,
    -0.3125, 1.4375, 1.25, -0.625, 1.25, -0.625, 1.25, -0.625, -0.3125, 1.4375, -0.3125, 1.4375, -0.3125, 1.4375,
    -1.1875, -0.875, 2.75, 0.125, -2, 0.875, 0.4375, 0.625, 0, 0, 0, 0,
};
